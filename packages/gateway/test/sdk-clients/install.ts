import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../agent-matrix/run-program.ts";

/** The packages of a client; the first is the one that the table names. */
export interface Packages {
  readonly registry: "npm" | "pypi";
  readonly names: readonly [string, ...string[]];
}

/** An installed client. */
export interface Installed {
  readonly version: string;
  /** Runs one of the checks and gives all that it printed. */
  check(
    file: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv,
  ): Promise<{ code: number; output: string }>;
}

/** Outside of the repository: the clients are neither ours nor part of any commit. */
export const CACHE = process.env.SDKS_CACHE ?? join(homedir(), ".cache", "portico-sdks");
/** Milliseconds. */
const INSTALL_TIMEOUT = 900_000;
/** Milliseconds for all that one client tries on one provider. */
const CHECK_TIMEOUT = 180_000;

const checks = import.meta.dirname;

/** Puts the newest versions of the packages into the cache unless they lie there already. */
export async function installNewest({ registry, names }: Packages): Promise<Installed> {
  const newest = await Promise.all(
    names.map(async (name) => `${name}@${await newestVersion(registry, name)}`),
  );
  const digest = createHash("sha256").update(newest.join(" ")).digest("hex").slice(0, 8);
  const folder = join(CACHE, `${packageOf(names[0]).replace("/", "+")}-${registry}-${digest}`);
  const isThere = existsSync(join(folder, "complete"));
  if (!isThere) await rm(folder, { recursive: true, force: true });
  if (registry === "npm") {
    if (!isThere) await installFromNpm(folder, newest);
    return {
      version: newest[0]!.slice(names[0].length + 1),
      check: async (file, args, env) => {
        // Beside the packages, where their imports lead to these.
        await cp(join(checks, "node"), join(folder, "checks"), { recursive: true });
        return runProgram(process.execPath, [join(folder, "checks", file), ...args], {
          env,
          timeout: CHECK_TIMEOUT,
        });
      },
    };
  }
  const python = join(folder, "bin/python");
  if (!isThere) await installFromPypi(folder, names);
  const show = ["-c", `import importlib.metadata as m; print(m.version("${packageOf(names[0])}"))`];
  return {
    version: (await must(python, show)).trim(),
    check: (file, args, env) =>
      runProgram(python, ["-B", join(checks, "python", file), ...args], { env, timeout: CHECK_TIMEOUT }),
  };
}

export async function newestVersion(registry: Packages["registry"], name: string): Promise<string> {
  if (registry === "npm") return (await must("npm", ["view", name, "version", "--silent"])).trim();
  const listed = await must("python3", ["-m", "pip", "index", "versions", packageOf(name)]);
  const version = /\(([^)]+)\)/.exec(listed)?.[1];
  if (version === undefined) throw new Error(`pip names no version of ${name}`);
  return version;
}

/** A requirement's name. */
function packageOf(name: string): string {
  return name.replace(/[[<].*/, "");
}

export const quiet = ["--quiet", "--disable-pip-version-check"];

async function installFromNpm(folder: string, packages: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  // A project of its own: without one, npm looks for one in the folders above.
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const flags = ["--no-audit", "--no-fund", "--silent"];
  await must("npm", ["install", "--prefix", folder, ...flags, ...packages], folder);
  await writeFile(join(folder, "complete"), "");
}

/** Without versions, so that pip finds those that go together. */
async function installFromPypi(folder: string, names: readonly string[]): Promise<void> {
  await must("python3", ["-m", "venv", folder]);
  await must(join(folder, "bin/python"), ["-m", "pip", "install", ...quiet, ...names]);
  await writeFile(join(folder, "complete"), "");
}

export async function must(program: string, args: readonly string[], cwd?: string): Promise<string> {
  const place = cwd === undefined ? {} : { cwd };
  const { code, output } = await runProgram(program, args, { ...place, timeout: INSTALL_TIMEOUT });
  if (code !== 0)
    throw new Error(`${program} ${args.join(" ")} ended with ${code}: ${output.trim().slice(-500)}`);
  return output;
}
