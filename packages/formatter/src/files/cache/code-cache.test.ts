import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { productVersion } from "../../mode/versions.ts";

const module = new URL("code-cache.ts", import.meta.url).href;
const delay = new URL("../../concurrency/compiler-delay.ts", import.meta.url).href;

let folder = "";
let code = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "jetblack-"));
  code = join(folder, "jetblack", productVersion);
  vi.stubEnv("XDG_CACHE_HOME", folder);
  vi.stubEnv("JETBLACK_CACHE_DIR", join(folder, "shared"));
  vi.stubEnv("NODE_DISABLE_COMPILE_CACHE", undefined);
  writeBundle("main.cjs", 'const { twice } = require("./other.cjs"); exports.answer = twice(21);');
  writeBundle("other.cjs", 'exports.twice = (n) => n * 2; exports.path = require("node:path");');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** As `rolldown.config.ts` makes them. */
function writeBundle(name: string, code: string): void {
  writeFileSync(
    join(folder, name),
    `(function (exports, require, module, __filename, __dirname) {${code}\n})`,
  );
}

/** Loads the bundle in a new process and stores its code; returns what it exports and whether code was new. */
function start(...further: string[]): { answer: unknown; isNew: boolean } {
  const script = `
    const { loadBundle, storeCode, withholdCompilers } = await import(process.argv[1]);
    const { delayCompilers } = await import(process.argv[3]);
    delayCompilers();
    const { answer } = loadBundle(process.argv[2], withholdCompilers);
    let isNew = false;
    storeCode(() => { isNew = true; });
    console.log(JSON.stringify({ answer, isNew }));`;
  const args = ["--input-type=module", "-e", script, module, join(folder, "main.cjs"), delay, ...further];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as ReturnType<typeof start>;
}

const known = { answer: 42, isNew: false };
const unknown = { answer: 42, isNew: true };

const places = (): string[] => readdirSync(code).map((name) => join(code, name));

test("code is stored once, for its owner alone, and not where several may share a cache", () => {
  expect(start()).toEqual(unknown);
  expect(places().map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
  expect(statSync(code).mode & 0o777).toBe(0o700);
  expect(start()).toEqual(known);
  expect(readdirSync(folder)).not.toContain("shared");
});

test("code of a run with many arguments, which has its own options of V8, is another's neither to take nor to lose", () => {
  const many = new Array<string>(400).fill("a.py");
  start();
  start(...many);
  expect([start(), start(...many), start()]).toEqual([known, known, known]);
});

test("a changed bundle is compiled anew, even if it is as long as before", () => {
  start();
  writeBundle("other.cjs", 'exports.twice = (n) => n + n; exports.path = require("node:path");');
  expect(start()).toEqual(unknown);
  expect(start()).toEqual(known);
  // Node's own way to make a folder with those above it never comes back from there.
  vi.stubEnv("XDG_CACHE_HOME", "/proc");
  expect(start()).toEqual(unknown);
});

test.each<[string, (path: string) => void]>([
  ["cut off", (path) => truncateSync(path, 20)],
  ["empty", (path) => truncateSync(path, 0)],
  ["no code", (path) => writeFileSync(path, "no code")],
  ["writable for others", (path) => chmodSync(path, 0o666)],
  ["away", (path) => rmSync(path)],
])("code that is %s is not used, and made again", (_name, spoil) => {
  start();
  for (const path of places()) spoil(path);
  expect(start()).toEqual(unknown);
  expect(start()).toEqual(known);
  // Node's own way to make a folder with those above it never comes back from there.
  vi.stubEnv("XDG_CACHE_HOME", "/proc");
  expect(start()).toEqual(unknown);
});

test.each([
  ["NODE_DISABLE_COMPILE_CACHE", "1"],
  ["JETBLACK_WITHOUT", "verbatim,code-cache"],
])("with %s=%s no code is kept", (name, value) => {
  vi.stubEnv(name, value);
  expect(start()).toEqual(known);
  expect(readdirSync(folder)).not.toContain("jetblack");
});

test("a folder that cannot be made is no error", () => {
  writeFileSync(join(folder, "jetblack"), "a file");
  expect(start()).toEqual(unknown);
  rmSync(join(folder, "jetblack"));
  mkdirSync(code, { recursive: true });
  expect(start()).toEqual(unknown);
  expect(start()).toEqual(known);
  // Node's own way to make a folder with those above it never comes back from there.
  vi.stubEnv("XDG_CACHE_HOME", "/proc");
  expect(start()).toEqual(unknown);
});
