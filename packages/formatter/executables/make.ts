import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { npmTools } from "../conformance/npm-tools.ts";
import { sourcesId } from "../src/files/cache/build-id.ts";
import { ownTarget, type Target } from "./targets.ts";

/**
 * The runtime. Beside Node.js with a start-up snapshot or a code cache it starts sooner and gives the same bytes
 * (`docs/decisions/2026-11-22-executables.md`).
 */
const BUN_VERSION = "1.4.5";

/** What one executable may take. */
const MAX_BYTES = 120_000_000;

const root = join(import.meta.dirname, "..");

/** Where executables are put, with their sums in `SHA256SUMS`. */
export const executablesFolder = join(root, "dist/executables");

export interface Executable {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Makes the executables of the given systems; those of an earlier run are gone. */
export function makeExecutables(targets: readonly Target[]): Executable[] {
  rmSync(executablesFolder, { recursive: true, force: true });
  mkdirSync(executablesFolder, { recursive: true });
  const made = targets.map(makeExecutable);
  const sums = made.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join("");
  writeFileSync(join(executablesFolder, "SHA256SUMS"), sums);
  return made;
}

/** The executable for this machine. */
export function makeOwnExecutable(): Executable {
  return makeExecutables([ownTarget()])[0]!;
}

function makeExecutable(target: Target): Executable {
  const name = `jetblack-${target.name}`;
  const path = join(executablesFolder, name);
  execFileSync(
    runtimeOf(ownTarget()),
    [
      "build",
      "--compile",
      `--target=${target.bun}`,
      `--compile-executable-path=${runtimeOf(target)}`,
      "--format=esm",
      "--minify",
      "--bytecode",
      // The formatter lies in the file once, for the main thread and for further ones.
      "--splitting",
      // A small run ends before compiling pays: a seventh less time there, a twentieth more where there is much to format.
      "--compile-jit-policy=4",
      "--conditions=source",
      `--define=JETBLACK_BUILD="${sourcesId(join(root, "src"))}"`,
      // What lies in the folder where somebody formats must not change what the program does.
      "--no-compile-autoload-dotenv",
      "--no-compile-autoload-bunfig",
      `--outfile=${path}`,
      "src/executable.ts",
      "src/files/format-worker.ts",
    ],
    { cwd: root, stdio: "pipe" },
  );
  const contents = readFileSync(path);
  if (contents.length > MAX_BYTES)
    throw new Error(`${name} has ${contents.length} bytes, more than ${MAX_BYTES / 1e6} MB.`);
  const sha256 = createHash("sha256").update(contents).digest("hex");
  return { name, path, bytes: contents.length, sha256 };
}

/** Bun for a system, from npm, whose checksums npm compares. */
function runtimeOf({ runtime, os, cpu }: Target): string {
  const name = `@oven/${runtime}`;
  const modules = npmTools(
    `${runtime}-${BUN_VERSION}`,
    [`${name}@${BUN_VERSION}`],
    ["--ignore-scripts", "--force", `--os=${os}`, `--cpu=${cpu}`],
  );
  return join(modules, name, "bin", os === "win32" ? "bun.exe" : "bun");
}
