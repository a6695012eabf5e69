import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { BLACK_VERSION, NoBlackError } from "./black.ts";
import { buildWheel } from "./build-wheel.ts";
import { diskUsage } from "./disk-usage.ts";
import { expectSame } from "./expect-same.ts";

/**
 * `npm run try-debian -w jetblack [-- --root FOLDER]`: an empty Debian, made by debootstrap, without any Node.js, in which
 * people install the Python package by pip, uv, pipx, tox and pre-commit, each with what it takes beside Black and Ruff.
 * With `--root` in a Debian that is there already; what is put into it stays. Exits with 69 for other users than root,
 * and where Debian or PyPI cannot be reached.
 */
const PACKAGES = ["python3-venv", "pipx", "git", "ca-certificates"];
const TOOLS = ["uv", "tox", "pre-commit"];
const peers = [`black==${BLACK_VERSION}`, "ruff"];
/** The most that pre-commit may take for our hook: its clone of the repository and its environment, Node.js included. */
const MAX_HOOK_BYTES = 250e6;
const SOURCE = "def f( a ):\n  x = { 'a':1 }\n  y = [1,2]\n  z = f( x )\n  return x\n";
const FORMATTED = 'def f(a):\n    x = {"a": 1}\n    y = [1, 2]\n    z = f(x)\n    return x\n';

const certificates = "/etc/ssl/certs/ca-certificates.crt";

const repository = fileURLToPath(new URL("../../..", import.meta.url));
const { values } = parseArgs({ options: { root: { type: "string" } } });
const base = mkdtempSync(join(tmpdir(), "jetblack-debian-"));
const debian = values.root ?? join(base, "debian");
/** The folder of this run within it. */
const home = `/root/${basename(base)}`;

try {
  makeDebian();
  const { wheel } = buildWheel(join(base, "dist"));
  useDebian(wheel);
} catch (error) {
  if (!(error instanceof NoBlackError)) throw error;
  process.stderr.write(`try-debian: ${error.message}\n`);
  process.exitCode = 69;
} finally {
  rmSync(base, { recursive: true, force: true });
}

function makeDebian(): void {
  if (process.getuid?.() !== 0) throw new NoBlackError("debootstrap and chroot need root");
  if (values.root === undefined) {
    const args = ["--variant=minbase", `--include=${PACKAGES.join(",")}`, "bookworm", debian];
    const { status } = spawnSync("debootstrap", args, { stdio: "pipe" });
    if (status !== 0) throw new NoBlackError("debootstrap is not installed, or Debian cannot be reached");
  }
  mkdirSync(join(debian, home), { recursive: true });
  // The authorities that this machine trusts, as where a proxy has one of its own.
  if (existsSync(certificates)) cpSync(certificates, join(debian, certificates));
}

function useDebian(wheel: string): void {
  cpSync(wheel, join(debian, home, basename(wheel)));
  const archive = `${home}/${basename(wheel)}`;
  expectSame("there is no Node.js", run("command -v node nodejs npm; true"), "");
  const rows = ["jetblack", ...peers].map((name) => installByPip(name, name === "jetblack" ? archive : name));
  run(`python3 -m venv tools && tools/bin/pip install --quiet ${TOOLS.join(" ")}`);
  use("uv tool", `tools/bin/uv tool install --quiet ${archive}`, ".local/bin/jetblack");
  run("tools/bin/uv tool uninstall --quiet jetblack");
  use("pipx", `pipx install ${archive}`, ".local/bin/jetblack");
  useTox(archive);
  const hooks = usePreCommit();
  process.stdout.write(
    "\n| | installed by pip | five lines, median of 15 | pre-commit's environment | pre-commit run --all-files |\n|---|---|---|---|---|\n",
  );
  for (const [index, row] of rows.entries()) process.stdout.write(`| ${row} | ${hooks[index]} |\n`);
}

function installByPip(name: string, archive: string): string {
  const [command] = name.split("==") as [string];
  run(`python3 -m venv ${command}`);
  const before = diskUsage(join(debian, home, command));
  run(`${command}/bin/pip install --quiet ${archive}`);
  const bytes = diskUsage(join(debian, home, command)) - before;
  const args = command === "ruff" ? "format -" : "-q -";
  const program = `${command}/bin/${command}`;
  expectSame(`pip: ${command}`, run(`${program} ${args}`, SOURCE), FORMATTED);
  if (command === "jetblack")
    expectSame("python -m jetblack", run("jetblack/bin/python -m jetblack -q -", SOURCE), FORMATTED);
  const times = Array.from({ length: 15 }, () => seconds(() => run(`${program} ${args}`, SOURCE)));
  // What starting a shell in the other root takes.
  const empty = median(Array.from({ length: 15 }, () => seconds(() => run("true"))));
  return `${name} | ${megabytes(bytes)} | ${((median(times) - empty) * 1000).toFixed(0)} ms`;
}

function use(what: string, command: string, program: string): void {
  run(command);
  expectSame(what, run(`${program} -q -`, SOURCE), FORMATTED);
}

function useTox(archive: string): void {
  const lines = [
    "[tox]",
    "env_list = format",
    "skipsdist = true",
    "[testenv:format]",
    `deps = ${archive}`,
    "commands = jetblack -q a.py",
  ];
  mkdirSync(join(debian, home, "tox"));
  writeFileSync(join(debian, home, "tox/tox.ini"), `${lines.join("\n")}\n`);
  writeFileSync(join(debian, home, "tox/a.py"), SOURCE);
  run("cd tox && ../tools/bin/tox run -q -e format");
  expectSame("tox", run("cat tox/a.py"), FORMATTED);
}

/** Our hook from a clone of this repository, Black's and Ruff's from PyPI: what each takes. */
function usePreCommit(): string[] {
  execFileSync("git", ["clone", "--quiet", "--bare", repository, join(debian, home, "repository")]);
  const rev = execFileSync("git", ["rev-parse", "HEAD"], { cwd: repository, encoding: "utf8" }).trim();
  const local = (id: string, entry: string, dependency: string): object => ({
    repo: "local",
    hooks: [
      {
        id,
        name: id,
        entry,
        language: "python",
        types: ["python"],
        require_serial: true,
        additional_dependencies: [dependency],
      },
    ],
  });
  const repos = [
    { repo: `${home}/repository`, rev, hooks: [{ id: "jetblack" }] },
    local("black", "black -q", peers[0]!),
    local("ruff", "ruff format -q", peers[1]!),
  ];
  return repos.map((repo, index) => {
    const folder = `hook-${index}`;
    mkdirSync(join(debian, home, folder));
    // JSON is YAML.
    writeFileSync(join(debian, home, folder, ".pre-commit-config.yaml"), JSON.stringify({ repos: [repo] }));
    writeFileSync(join(debian, home, folder, "a.py"), SOURCE);
    run(`cd ${folder} && git init -q && git add . `);
    const inFolder = `cd ${folder} && PRE_COMMIT_HOME=${home}/${folder}-cache ../tools/bin/pre-commit`;
    const installed = seconds(() => run(`${inFolder} install-hooks`));
    const first = seconds(() => run(`${inFolder} run --all-files; true`));
    expectSame("pre-commit", run(`cat ${folder}/a.py`), FORMATTED);
    run(`${inFolder} run --all-files`);
    const bytes = diskUsage(join(debian, home, `${folder}-cache`));
    if (index === 0 && bytes > MAX_HOOK_BYTES)
      throw new Error(
        `pre-commit's environment takes ${megabytes(bytes)}, more than ${megabytes(MAX_HOOK_BYTES)}`,
      );
    return `${megabytes(bytes)}, made in ${installed.toFixed(0)} s | ${first.toFixed(1)} s`;
  });
}

/** A shell command in the Debian, with none of this machine's settings but those for its network. */
function run(command: string, input = ""): string {
  const passed = Object.entries(process.env).filter(([name]) =>
    /^(PIP_|UV_|SSL_|(https?|no|all)_proxy)/i.test(name),
  );
  const { status, stdout, stderr } = spawnSync(
    "chroot",
    [debian, "sh", "-c", `cd ${home} && { ${command}\n}`],
    {
      input,
      encoding: "utf8",
      env: {
        PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
        HOME: home,
        LANG: "C.UTF-8",
        SSL_CERT_FILE: certificates,
        PIP_CERT: certificates,
        NODE_EXTRA_CA_CERTS: certificates,
        PIP_DISABLE_PIP_VERSION_CHECK: "1",
        ...Object.fromEntries(passed),
      },
    },
  );
  if (status !== 0) throw new Error(`${command}\n${stdout}${stderr}`);
  return stdout;
}

function seconds(act: () => void): number {
  const start = performance.now();
  act();
  return (performance.now() - start) / 1000;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
