import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { runProgram } from "./run-program.ts";

/** Where programs come from. */
export interface Package {
  readonly registry: "npm" | "pypi";
  readonly name: string;
  readonly version: string;
  /** The command that the package brings. */
  readonly command: string;
  /** What it imports without saying that it needs it. */
  readonly beside?: readonly string[];
}

/** Outside of the repository: the programs are neither ours nor part of any commit. */
const CACHE = process.env.AGENTS_CACHE ?? join(homedir(), ".cache", "portico-agents");
/** Milliseconds. */
const INSTALL_TIMEOUT = 900_000;

/** Puts a package into the cache unless it lies there already, and gives the path of its command. */
export async function installed({ registry, name, version, command, beside = [] }: Package): Promise<string> {
  const folder = join(CACHE, `${name.replace("/", "+")}@${version}`);
  const program = join(folder, registry === "npm" ? "node_modules/.bin" : "bin", command);
  if (existsSync(program)) return program;
  await mkdir(CACHE, { recursive: true });
  await rm(folder, { recursive: true, force: true });
  if (registry === "npm") {
    // Beside its place first: an installation that is cut off is none.
    const building = `${folder}.${process.pid}`;
    const flags = ["--no-save", "--no-audit", "--no-fund", "--silent"];
    await must("npm", ["install", "--prefix", building, ...flags, `${name}@${version}`]);
    await rename(building, folder);
    return program;
  }
  // A virtual environment cannot be moved, so a cut-off one is deleted.
  try {
    await must("python3", ["-m", "venv", folder]);
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    await must(join(folder, "bin/python"), [...pip, `${name}==${version}`, ...beside]);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return program;
}

async function must(program: string, args: readonly string[]): Promise<void> {
  const { code, output } = await runProgram(program, args, { timeout: INSTALL_TIMEOUT });
  if (code !== 0)
    throw new Error(`${program} ${args.join(" ")} ended with ${code}: ${output.trim().slice(-500)}`);
}
