import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Cache, digestOf } from "./cache.ts";

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "jetblack-"));
  file = join(folder, "a.py");
  writeFileSync(file, "x = 1\n");
});
afterEach(() => rmSync(folder, { recursive: true }));

function remember(key: string, path = file): void {
  const cache = new Cache(join(folder, "cache"), key);
  const stats = statSync(file);
  cache.add(path, [stats.mtimeMs, stats.size, digestOf(Buffer.from("x = 1\n"))]);
  cache.save();
}

const isKnown = (key: string, path = file): boolean =>
  new Cache(join(folder, "cache"), key).isUnchanged(path, statSync(file));

test("a file is known only under the options it was remembered for", () => {
  remember("one");
  expect(isKnown("one")).toBe(true);
  expect(isKnown("two")).toBe(false);
});

test("a new time with the old contents is no change, new contents of the old size are one", () => {
  remember("one");
  utimesSync(file, 1, 1);
  expect(isKnown("one")).toBe(true);
  writeFileSync(file, "x = 2\n");
  utimesSync(file, 2, 2);
  expect(isKnown("one")).toBe(false);
});

test("what another run stored meanwhile is kept", () => {
  const slow = new Cache(join(folder, "cache"), "one");
  remember("one", "/other.py");
  const stats = statSync(file);
  slow.add(file, [stats.mtimeMs, stats.size, ""]);
  slow.save();
  expect(isKnown("one")).toBe(true);
  expect(isKnown("one", "/other.py")).toBe(true);
});

test("a damaged cache is an empty one", () => {
  remember("one");
  const [name = ""] = readdirSync(join(folder, "cache"));
  writeFileSync(join(folder, "cache", name), '[["a"], 3, {"x"');
  expect(isKnown("one")).toBe(false);
});
