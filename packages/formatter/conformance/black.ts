import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The version whose output is the aim. */
export const BLACK_VERSION = "26.10.1";

/** Black's sentences and its safety check are those of the Python that runs it; this one is compared with. */
const PYTHON_VERSION = "3.13";

/** Black cannot be had on this machine: no suitable Python, or no way to PyPI. */
export class NoBlackError extends Error {
  override readonly name = "NoBlackError";
}

/** Where environments, downloads and answers are kept between runs. */
export function cacheFolder(): string {
  const base = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
  const folder = join(base, "jetblack-conformance");
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * The Python that has Black: `JETBLACK_BLACK_PYTHON`, or an environment that is made on first use with Black from PyPI.
 *
 * @param extra what Black is installed with: `jupyter`, `d` or nothing
 * @throws {NoBlackError} when there is none and none can be made
 */
export function pythonWithBlack(extra = "jupyter"): string {
  const given = process.env.JETBLACK_BLACK_PYTHON;
  if (given !== undefined) return given;
  const { version } = findPython();
  if (Number(version.split(".")[1]) < Number(PYTHON_VERSION.split(".")[1]))
    throw new NoBlackError(`CPython ${PYTHON_VERSION} or newer is needed, this is ${version}`);
  const suffix = extra === "" ? "" : `[${extra}]`;
  return join(
    pythonEnvironment(`black${extra}-${BLACK_VERSION}`, [`black${suffix}==${BLACK_VERSION}`]),
    "python",
  );
}

/**
 * A virtual environment that holds the given packages from PyPI; made on first use. Returns its `bin` folder.
 * @throws {NoBlackError} when it cannot be made
 */
export function pythonEnvironment(name: string, packages: readonly string[]): string {
  const base = findPython();
  const folder = join(cacheFolder(), "venv", `${name}-python${base.version}`);
  const bin = join(folder, process.platform === "win32" ? "Scripts" : "bin");
  if (existsSync(join(folder, "complete"))) return bin;
  try {
    execFileSync(base.command, ["-m", "venv", "--clear", folder], { stdio: "pipe" });
    execFileSync(join(bin, "python"), ["-m", "pip", "install", "--quiet", ...packages], {
      stdio: "pipe",
      timeout: 300_000,
    });
  } catch (error) {
    throw new NoBlackError(`${packages.join(" ")} cannot be installed: ${lastLine(error)}`);
  }
  writeFileSync(join(folder, "complete"), "");
  return bin;
}

function lastLine(error: unknown): string {
  const { stderr, message } = error as { stderr?: Buffer; message: string };
  return (stderr?.toString() ?? message).trim().split("\n").at(-1) ?? message;
}

interface Python {
  readonly command: string;
  /** Such as `3.13`. */
  readonly version: string;
}

/** CPython 3.13 if there is one, otherwise the `python3` of the `PATH`. */
function findPython(): Python {
  const pyenv = join(homedir(), ".pyenv", "versions");
  const ofPyenv = existsSync(pyenv)
    ? readdirSync(pyenv)
        .filter((name) => name.startsWith(`${PYTHON_VERSION}.`))
        .map((name) => join(pyenv, name, "bin", "python"))
    : [];
  const found = [`python${PYTHON_VERSION}`, ...ofPyenv, "python3", "python"].flatMap((command): Python[] => {
    const script = "import sys; print('.'.join(map(str, sys.version_info[:2])))";
    const { status, stdout } = spawnSync(command, ["-c", script], { encoding: "utf8" });
    return status === 0 ? [{ command, version: stdout.trim() }] : [];
  });
  const python = found.find(({ version }) => version === PYTHON_VERSION) ?? found[0];
  if (python === undefined) throw new NoBlackError("there is no Python");
  return python;
}
