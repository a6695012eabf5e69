import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Lets pre-commit, as its users have it, install the hooks of this repository's last commit and run them on a
 * repository of its own: `npm run pre-commit-check -w jetblack`. Needs git, Python and the registries of both.
 */
const PRE_COMMIT = "pre-commit==4.7.0";

const repository = fileURLToPath(new URL("../../..", import.meta.url));
const base = mkdtempSync(join(tmpdir(), "jetblack-pre-commit-"));
const project = join(base, "project");
const python = join(base, "venv", "bin");
const node = join(base, "node");
const environment = {
  ...process.env,
  PATH: [node, python, process.env.PATH].join(delimiter),
  PRE_COMMIT_HOME: join(base, "cache"),
  JETBLACK_CACHE_DIR: join(base, "jetblack-cache"),
  GIT_AUTHOR_NAME: "check",
  GIT_AUTHOR_EMAIL: "check@example.invalid",
  GIT_COMMITTER_NAME: "check",
  GIT_COMMITTER_EMAIL: "check@example.invalid",
};

interface SampleFile {
  readonly before: string;
  readonly after: string;
}

const notebook = (code: string): string =>
  `${JSON.stringify({ cells: [{ cell_type: "code", execution_count: null, metadata: {}, outputs: [], source: [code] }], metadata: { language_info: { name: "python" } }, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;

const sampleFiles: Readonly<Record<string, SampleFile>> = {
  "module.py": { before: "x  = 'a'\n", after: 'x = "a"\n' },
  "stub.pyi": { before: "def f( ): ...\n", after: "def f(): ...\n" },
  tool: { before: "#!/usr/bin/env python3\nx  = 1\n", after: "#!/usr/bin/env python3\nx = 1\n" },
  "vendored.py": { before: "x  = 1\n", after: "x  = 1\n" },
  "notes.txt": { before: "x  = 1\n", after: "x  = 1\n" },
  "cells.ipynb": { before: notebook("x  = 'a'"), after: notebook('x = "a"') },
};

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, env: environment, encoding: "utf8", stdio: "pipe" });
}

function makeProject(): void {
  mkdirSync(project);
  run("git", ["init", "-q"], project);
  const rev = run("git", ["rev-parse", "HEAD"], repository).trim();
  const hooks = ["jetblack", "jetblack-jupyter"].map((id) => ({ id, language_version: "system" }));
  // JSON is YAML.
  writeFileSync(
    join(project, ".pre-commit-config.yaml"),
    JSON.stringify({ repos: [{ repo: repository.replace(/\/$/, ""), rev, hooks }] }),
  );
  writeFileSync(join(project, "pyproject.toml"), "[tool.black]\nforce-exclude = 'vendored'\n");
  for (const [name, { before }] of Object.entries(sampleFiles))
    writeFileSync(join(project, name), before, { mode: name === "tool" ? 0o755 : 0o644 });
  run("git", ["add", "--all"], project);
}

/** Makes the Node.js that runs this the one of the `PATH`, under both names that pre-commit looks for. */
function linkNode(): void {
  mkdirSync(node);
  for (const name of ["node", "nodejs"]) symlinkSync(process.execPath, join(node, name));
}

/** Runs one hook, or all of them, on all files. */
function runHooks(...ids: string[]): { status: number | null; output: string } {
  const args = ["run", "--all-files", "--verbose", ...ids];
  const done = spawnSync(join(python, "pre-commit"), args, {
    cwd: project,
    env: environment,
    encoding: "utf8",
  });
  return { status: done.status, output: done.stdout + done.stderr };
}

function expectSame(what: string, actual: unknown, expected: unknown, output: string): void {
  if (actual === expected) process.stdout.write(`ok: ${what}\n`);
  else
    throw new Error(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}\n${output}`);
}

function expectFiles(wanted: (name: string) => boolean, output: string): void {
  for (const [name, { before, after }] of Object.entries(sampleFiles))
    expectSame(name, readFileSync(join(project, name), "utf8"), wanted(name) ? after : before, output);
}

try {
  run("python3", ["-m", "venv", join(base, "venv")], base);
  run(join(python, "pip"), ["install", "--quiet", PRE_COMMIT], base);
  linkNode();
  makeProject();
  const first = runHooks("jetblack");
  expectSame("jetblack changes files and fails the commit", first.status, 1, first.output);
  expectFiles((name) => name !== "cells.ipynb", first.output);
  const second = runHooks("jetblack-jupyter");
  expectSame("jetblack-jupyter formats notebooks too", second.status, 1, second.output);
  expectFiles(() => true, second.output);
  const third = runHooks();
  expectSame("both pass what is well formatted", third.status, 0, third.output);
} finally {
  rmSync(base, { recursive: true, force: true });
}
