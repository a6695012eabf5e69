import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { diskUsage } from "./disk-usage.ts";
import { putOldNode } from "./old-node.ts";
import { pathWithoutNode } from "./path-without-node.ts";

/**
 * Lets pre-commit, as its users have it, install the hooks of this repository's last commit and run them on a
 * repository of its own: `npm run pre-commit-check -w jetblack`. The hooks for Python find no Node.js on the PATH, the
 * ones for Node.js a `nodejs` that is too old before the `node` that will do, as on a Debian with another one beside
 * its own. Needs git, Python and the registries of both.
 */
const PRE_COMMIT = "pre-commit==4.7.0";
/** The most that the hooks for Python may take, with the Node.js that pip brings. */
const MAX_INSTALLED_BYTES = 250e6;

const repository = fileURLToPath(new URL("../../..", import.meta.url));
const base = mkdtempSync(join(tmpdir(), "jetblack-pre-commit-"));
const project = join(base, "project");
const python = join(base, "venv", "bin");
const oldNode = join(base, "old-node");
const node = join(base, "node");
const withoutNode = join(base, "without-node");
const environment = {
  ...process.env,
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

const pythonPath = [python, withoutNode].join(delimiter);
const nodePath = [oldNode, node, python, process.env.PATH].join(delimiter);

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, env: environment, encoding: "utf8", stdio: "pipe" });
}

function makeProject(): void {
  mkdirSync(project);
  run("git", ["init", "-q"], project);
  const rev = run("git", ["rev-parse", "HEAD"], repository).trim();
  const hooks = [
    { id: "jetblack" },
    { id: "jetblack-jupyter" },
    { id: "jetblack-node", language_version: "system" },
    { id: "jetblack-jupyter-node", language_version: "system" },
  ];
  // JSON is YAML.
  writeFileSync(
    join(project, ".pre-commit-config.yaml"),
    JSON.stringify({ repos: [{ repo: repository.replace(/\/$/, ""), rev, hooks }] }),
  );
  writeFileSync(join(project, "pyproject.toml"), "[tool.black]\nforce-exclude = 'vendored'\n");
  writeSamples();
  run("git", ["add", "--all"], project);
}

function writeSamples(): void {
  for (const [name, { before }] of Object.entries(sampleFiles))
    writeFileSync(join(project, name), before, { mode: name === "tool" ? 0o755 : 0o644 });
}

function linkPrograms(): void {
  pathWithoutNode(withoutNode);
  mkdirSync(node);
  symlinkSync(process.execPath, join(node, "node"));
  // What pre-commit takes for Node.js.
  putOldNode(oldNode, "20.20.2");
}

/** Runs one hook, or all of them, on all files. */
function runHooks(path: string, ...ids: string[]): { status: number | null; output: string } {
  const args = ["run", "--all-files", "--verbose", ...ids];
  const done = spawnSync(join(python, "pre-commit"), args, {
    cwd: project,
    env: { ...environment, PATH: path },
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
  linkPrograms();
  makeProject();
  checkHooks(pythonPath, "jetblack", "jetblack-jupyter");
  const bytes = diskUsage(join(base, "cache"));
  process.stdout.write(`the hooks for Python take ${(bytes / 1e6).toFixed(0)} MB\n`);
  if (bytes > MAX_INSTALLED_BYTES) throw new Error(`that is more than ${MAX_INSTALLED_BYTES / 1e6} MB`);
  checkHooks(nodePath, "jetblack-node", "jetblack-jupyter-node");
} finally {
  rmSync(base, { recursive: true, force: true });
}

/** A hook for sources and its twin for notebooks. */
function checkHooks(path: string, sources: string, notebooks: string): void {
  writeSamples();
  const first = runHooks(path, sources);
  expectSame(`${sources} changes files and fails the commit`, first.status, 1, first.output);
  expectFiles((name) => name !== "cells.ipynb", first.output);
  const second = runHooks(path, notebooks);
  expectSame(`${notebooks} formats notebooks too`, second.status, 1, second.output);
  expectFiles(() => true, second.output);
  for (const id of [sources, notebooks]) {
    const third = runHooks(path, id);
    expectSame(`${id} passes what is well formatted`, third.status, 0, third.output);
  }
}
