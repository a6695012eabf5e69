import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectSame, say } from "../conformance/expect-same.ts";
import { NoToolsError } from "../conformance/npm-tools.ts";
import { executablesFolder, makeOwnExecutable } from "./make.ts";

/**
 * `npm run try-executable -w jetblack`: makes the single file for this machine and uses it where there is no Node.js, in
 * a folder with a space and an umlaut, without a cache, beside files that a runtime might read. Exits with 69 where npm's registry cannot be reached.
 */
const base = mkdtempSync(join(tmpdir(), "jetblack executable ü "));

try {
  main();
} catch (error) {
  if (!(error instanceof NoToolsError)) throw error;
  process.stderr.write(`try-executable: ${error.message}\n`);
  process.exitCode = 69;
} finally {
  rmSync(base, { recursive: true, force: true });
}

function main(): void {
  const { name, path, bytes } = makeOwnExecutable();
  say(`${name}: ${(bytes / 1e6).toFixed(1)} MB`);
  execFileSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: executablesFolder });
  say("SHA256SUMS");
  checkUse(path);
}

function checkUse(path: string): void {
  const env = { PATH: "/nowhere", HOME: base, XDG_CACHE_HOME: join(base, "cache") };
  const use = (args: readonly string[], input = "", extra: NodeJS.ProcessEnv = {}) =>
    spawnSync(path, args, { cwd: base, env: { ...env, ...extra }, input, encoding: "utf8" });
  expectSame("--version", /^jetblack, .*\nBun .*\n$/.test(use(["--version"]).stdout), true);
  expectSame("standard input", use(["-q", "-"], "x = { 'a':1 }").stdout, 'x = {"a": 1}\n');
  const broken = use(["-"], "x = (");
  expectSame("source that cannot be parsed", [broken.status, broken.stdout], [123, "x = (\n"]);

  const file = join(base, "with space ü.py");
  writeFileSync(file, "x  = 1\r\n");
  expectSame("--check", use(["-q", "--check", file]).status, 1);
  expectSame("a file", [use(["-q", file]).status, readFileSync(file, "latin1")], [0, "x = 1\r\n"]);
  expectSame("the file again", use([file]).stderr.split("\n").at(-2), "1 file left unchanged.");
  writeFileSync(file, "y  = 1\n");
  const noCache = use(["-q", file], "", { JETBLACK_CACHE_DIR: "/proc/nowhere" });
  expectSame("a cache that cannot be written", [noCache.status, noCache.stderr], [0, ""]);

  const many = join(base, "many");
  mkdirSync(many);
  const source = "def f( a ):\n    return { 'a':a }\n\n\n".repeat(12_000);
  for (const index of Array(4).keys()) writeFileSync(join(many, `${index}.py`), source);
  const threads = use(["-W", "2", many]);
  expectSame("threads", threads.stderr.split("\n").at(-2), "4 files reformatted.");
  const { status, signal, stdout: expected } = use(["-q", "-"], source);
  expectSame("a large source on standard input", [status, signal], [0, null]);
  for (const index of Array(4).keys()) {
    const written = readFileSync(join(many, `${index}.py`), "utf8");
    expectSame(`what they write: ${index}`, differenceOf(written, expected), undefined);
  }

  writeFileSync(join(base, ".env"), "JETBLACK_NUM_WORKERS=none\nBLACK_NUM_WORKERS=none\n");
  writeFileSync(join(base, "bunfig.toml"), "preload = ['./nowhere.ts']\n");
  const beside = use(["-q", "--check", many]);
  expectSame("files for the runtime", [beside.status, beside.stderr], [0, ""]);
}

/** Where two texts part, with what follows in each. */
function differenceOf(left: string, right: string): readonly [number, string, string] | undefined {
  if (left === right) return undefined;
  let at = 0;
  while (left[at] === right[at]) at++;
  return [at, left.slice(at, at + 60), right.slice(at, at + 60)];
}
