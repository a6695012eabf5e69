import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Expected } from "./item.ts";

/** The version whose output is the aim. */
export const BLACK_VERSION = "26.10.1";

/** Where environments, downloads and answers are kept between runs. */
export function cacheFolder(): string {
  const base = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
  const folder = join(base, "jetblack-conformance");
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** A Python virtual environment that holds the given packages from PyPI; made on first use. Returns its `bin` folder. */
export function pythonEnvironment(name: string, packages: readonly string[]): string {
  const folder = join(cacheFolder(), "venv", name);
  const bin = join(folder, process.platform === "win32" ? "Scripts" : "bin");
  if (!existsSync(join(folder, "complete"))) {
    execFileSync("python3", ["-m", "venv", folder], { stdio: "inherit" });
    execFileSync(join(bin, "python"), ["-m", "pip", "install", "--quiet", ...packages], { stdio: "inherit" });
    writeFileSync(join(folder, "complete"), "");
  }
  return bin;
}

/**
 * What Black makes of each file; known answers are taken from the cache by SHA-256 of the bytes, kind and mode.
 * Asks in batches, so that an interrupted run keeps what it has.
 */
export function askBlack(paths: readonly string[], modeName: string): Expected[] {
  const answers = join(cacheFolder(), "answers", `${BLACK_VERSION}-${modeName}`);
  mkdirSync(answers, { recursive: true });
  const files = paths.map((path) => join(answers, `${keyOf(path)}.json`));
  const missing = paths.map((_, index) => index).filter((index) => !existsSync(files[index]!));
  for (let from = 0; from < missing.length; from += 50) {
    const batch = missing.slice(from, from + 50);
    const replies = runBlack(batch.map((index) => ({ path: paths[index]!, mode: modeName })));
    batch.forEach((index, position) => {
      writeFileSync(files[index]!, replies[position]!);
    });
  }
  return files.map((file): Expected => JSON.parse(readFileSync(file, "utf8")));
}

function keyOf(path: string): string {
  const kind = path.endsWith(".pyi") ? "pyi" : "py";
  return createHash("sha256").update(kind).update(readFileSync(path)).digest("hex");
}

function runBlack(requests: readonly { path: string; mode: string }[]): string[] {
  const bin = pythonEnvironment(`black-${BLACK_VERSION}`, [`black==${BLACK_VERSION}`]);
  const output = execFileSync(
    join(bin, "python"),
    [fileURLToPath(new URL("ask_black.py", import.meta.url))],
    {
      input: requests.map((request) => `${JSON.stringify(request)}\n`).join(""),
      maxBuffer: 1 << 30,
      encoding: "utf8",
    },
  );
  return output.split("\n").slice(0, requests.length);
}
