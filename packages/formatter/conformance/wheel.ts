import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { BLACK_VERSION, NoBlackError, pythonEnvironment, pythonWithBlack } from "./black.ts";
import { buildWheel } from "./build-wheel.ts";
import { findDataFolder } from "./data-folder.ts";
import { diskUsage } from "./disk-usage.ts";
import { expectSame, say } from "./expect-same.ts";
import { checkOddPlaces } from "./odd-places.ts";
import { pathWithoutNode } from "./path-without-node.ts";
import { checkSideBySide } from "./side-by-side.ts";

/**
 * `npm run try-wheel -w jetblack`: builds the Python package and uses it as people do who have no Node.js: by pip, as
 * commands, as `python -m jetblack`, and its functions beside Black's. With `--all` also beside another version, on every
 * CPython that is here, from the source distribution, by uv, pipx and tox, with a table of sizes and times beside Black and Ruff.
 * Exits with 69 where PyPI or Python cannot be had.
 */
const root = fileURLToPath(new URL("../../..", import.meta.url));
const tests = join(root, "packages/formatter/python/tests");
const { values } = parseArgs({ options: { all: { type: "boolean", default: false } } });

const base = mkdtempSync(join(tmpdir(), "jetblack wheel ü "));
const path = pathWithoutNode(join(base, "programs"));
const environment: NodeJS.ProcessEnv = {
  PATH: path,
  HOME: base,
  LANG: process.env.LANG,
  // Where pip and uv look for packages, and through which proxy.
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(PIP_|UV_|SSL_|(https?|no|all)_proxy)/i.test(name)),
  ),
  XDG_CONFIG_HOME: process.env.XDG_CONFIG_HOME ?? join(homedir(), ".config"),
  XDG_CACHE_HOME: join(base, "cache"),
};

try {
  await main();
} catch (error) {
  if (!(error instanceof NoBlackError)) throw error;
  process.stderr.write(`try-wheel: ${error.message}\n`);
  process.exitCode = 69;
} finally {
  rmSync(base, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const { wheel, source } = buildWheel(join(base, "dist"));
  const first = install(wheel, "python3", "pip");
  checkCommands(first);
  checkFunctions(first);
  checkBesideBlack(wheel);
  checkOddPlaces(wheel, base, environment);
  if (!values.all) return;
  checkDaemonBesideBlackd(first);
  await checkSideBySide(wheel, source, base, environment);
  for (const python of otherPythons()) checkFunctions(install(wheel, python.command, python.version));
  checkCommands(install(source, "python3", "source"));
  checkTools(wheel);
  compareInstallations(first);
}

/** A new virtual environment with the package; returns its folder of programs. */
function install(archive: string, python: string, name: string): string {
  const folder = join(base, name);
  run(python, "-m", "venv", folder);
  const bin = join(folder, "bin");
  run(join(bin, "pip"), "install", "--quiet", "--disable-pip-version-check", archive);
  return bin;
}

function checkCommands(bin: string): void {
  for (const command of ["jetblack", "jetblackd"])
    say(`${command}: ${firstLine(run(join(bin, command), "--version"))}`);
  expectSame("standard input", run(join(bin, "jetblack"), "-q", "-c", "x = { 'a':1 }"), 'x = {"a": 1}\n');
  expectSame("as a module", run(join(bin, "python"), "-m", "jetblack", "-q", "-c", "x='a'"), 'x = "a"\n');
  const file = join(base, "with space ü.py");
  writeFileSync(file, "x  = 1\n");
  const { status } = spawnSync(join(bin, "jetblack"), ["-q", "--check", file], { env: environment });
  expectSame("exit code of --check", status, 1);
  const server = spawnSync(join(bin, "jetblack-lsp"), [], { env: environment, input: "", encoding: "utf8" });
  expectSame("jetblack-lsp ends with its input", server.signal, null);
  const lost = spawnSync(join(bin, "jetblack"), ["--version"], {
    env: { ...environment, JETBLACK_NODE: "/nowhere/node" },
    encoding: "utf8",
  });
  expectSame("a wrong JETBLACK_NODE", lost.stderr.trim().split("\n").length, 1);
}

/** The unit tests of the functions, by the Python that the package is installed in. */
function checkFunctions(bin: string): void {
  run(
    join(bin, "python"),
    "-m",
    "unittest",
    "discover",
    "--start-directory",
    tests,
    "--pattern",
    "test_format.py",
  );
  say(`functions on ${run(join(bin, "python"), "--version").trim()}`);
}

/** The functions beside those of Black from PyPI. */
function checkBesideBlack(wheel: string): void {
  const python = pythonWithBlack();
  const target = join(base, "beside black");
  run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", target, wheel);
  const data = findDataFolder();
  const env = { ...environment, PYTHONPATH: target, ...(data === undefined ? {} : { JETBLACK_DATA: data }) };
  const args = [
    "-m",
    "unittest",
    "discover",
    "--start-directory",
    tests,
    "--pattern",
    "test_beside_black.py",
  ];
  const { status, stderr } = spawnSync(python, args, { env, encoding: "utf8" });
  if (status !== 0) throw new Error(`the functions differ from Black's:\n${stderr}`);
  say(`functions beside Black ${BLACK_VERSION}: ${lastLine(stderr)}`);
}

/** The package's daemon beside blackd from PyPI. */
function checkDaemonBesideBlackd(bin: string): void {
  const program = join(root, "packages/formatter/conformance/blackd.ts");
  const args = [program, "--command", join(bin, "jetblackd")];
  say(`jetblackd beside blackd: ${lastLine(execFileSync(process.execPath, args, { encoding: "utf8" }))}`);
}

/** The CPythons of pyenv that the package is for. */
function otherPythons(): { command: string; version: string }[] {
  const folder = join(homedir(), ".pyenv/versions");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((version) => /^3\.(9|1\d)\./.test(version))
    .map((version) => ({ command: join(folder, version, "bin/python"), version }));
}

/** Installations by other tools than pip. */
function checkTools(wheel: string): void {
  const bin = pythonEnvironment("tools", ["uv", "pipx", "tox"]);
  const env = { ...environment, PATH: [bin, path].join(delimiter), UV_TOOL_BIN_DIR: join(base, "uv-bin") };
  const use = (command: string, ...args: string[]): string =>
    execFileSync(command, args, { cwd: base, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  use("uv", "tool", "install", wheel);
  say(`uv tool install: ${firstLine(use(join(base, "uv-bin/jetblack"), "--version"))}`);
  say(`uvx: ${firstLine(use("uvx", "--from", wheel, "jetblack", "--version"))}`);
  use("pipx", "install", wheel);
  say(`pipx install: ${firstLine(use(join(base, ".local/bin/jetblack"), "--version"))}`);
  writeFileSync(
    join(base, "tox.ini"),
    `[tox]\nenv_list = format\nskipsdist = true\n[testenv:format]\ndeps = jetblack @ ${pathToFileURL(wheel)}\ncommands = jetblack --version\n`,
  );
  const tox = use("tox", "run", "-q", "-e", "format");
  say(`tox: ${tox.split("\n").find((line) => line.startsWith("jetblack,"))}`);
}

/** What an installation takes, and how long a file of five lines, beside Black and Ruff. */
function compareInstallations(ours: string): void {
  const rows = [{ name: "jetblack", bin: ours }];
  for (const name of ["black", "ruff"]) {
    const folder = join(base, name);
    run("python3", "-m", "venv", folder);
    run(join(folder, "bin/pip"), "install", "--quiet", "--disable-pip-version-check", name);
    rows.push({ name, bin: join(folder, "bin") });
  }
  const empty = join(base, "empty");
  run("python3", "-m", "venv", empty);
  const source = "def f( a ):\n  x = { 'a':1 }\n  y = [1,2]\n  z = f( x )\n  return x\n";
  process.stdout.write("\n| | installed | five lines, median of 15 |\n|---|---|---|\n");
  for (const { name, bin } of rows) {
    const bytes = diskUsage(dirname(bin)) - diskUsage(empty);
    const args = name === "ruff" ? ["format", "-"] : ["-q", "-"];
    const times = Array.from({ length: 15 }, () => {
      const start = performance.now();
      execFileSync(join(bin, name), args, { env: environment, input: source });
      return performance.now() - start;
    }).sort((a, b) => a - b);
    process.stdout.write(`| ${name} | ${(bytes / 1e6).toFixed(0)} MB | ${times[7]!.toFixed(0)} ms |\n`);
  }
}

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd: base, env: environment, encoding: "utf8", stdio: "pipe" });
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)!;
}

function firstLine(text: string): string {
  return text.split("\n")[0]!;
}
