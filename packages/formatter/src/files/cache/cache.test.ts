import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Cache } from "./cache.ts";
import { digestOf } from "./digest.ts";
import type { KnownFailure } from "./file-record.ts";
import { Stored } from "./stored.ts";

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "jetblack-"));
  file = join(folder, "a.py");
  writeFileSync(file, "x = 1\n");
});
afterEach(() => rmSync(folder, { recursive: true }));

function remember(key: string, path = file, failure?: KnownFailure): void {
  const cache = new Cache(join(folder, "cache"), key);
  const { mtimeMs, size } = statSync(file);
  cache.add(path, { mtimeMs, size, digest: digestOf(Buffer.from("x = 1\n")), failure });
  cache.save();
}

const find = (key: string, path = file): "formatted" | KnownFailure | undefined =>
  new Cache(join(folder, "cache"), key).find(path, statSync(file));
const isKnown = (key: string, path = file): boolean => find(key, path) === "formatted";

test("a file is known only under the options it was remembered for", () => {
  remember("one");
  expect(isKnown("one")).toBe(true);
  expect(isKnown("two")).toBe(false);
});

test("what one build remembers, another build of the same version does not know", () => {
  vi.stubGlobal("JETBLACK_BUILD", "one");
  remember("key");
  expect(isKnown("key")).toBe(true);
  vi.stubGlobal("JETBLACK_BUILD", "two");
  expect(isKnown("key")).toBe(false);
  vi.unstubAllGlobals();
  expect(isKnown("key")).toBe(false);
});

test("a new time with the old contents is no change, new contents of the old size are one", () => {
  remember("one");
  utimesSync(file, 1, 1);
  expect(isKnown("one")).toBe(true);
  writeFileSync(file, "x = 2\n");
  utimesSync(file, 2, 2);
  expect(isKnown("one")).toBe(false);
});

test("without a digest a new time is a change", () => {
  const cache = new Cache(join(folder, "cache"), "one");
  const { mtimeMs, size } = statSync(file);
  cache.add(file, { mtimeMs, size, digest: "" });
  cache.save();
  expect(isKnown("one")).toBe(true);
  utimesSync(file, 1, 1);
  expect(isKnown("one")).toBe(false);
});

test("a file that cannot be read is not known", () => {
  remember("one");
  const { size } = statSync(file);
  rmSync(file);
  expect(new Cache(join(folder, "cache"), "one").find(file, { mtimeMs: 1, size })).toBeUndefined();
});

test("what another run stored meanwhile is kept", () => {
  const slow = new Cache(join(folder, "cache"), "one");
  remember("one", "/other.py");
  const { mtimeMs, size } = statSync(file);
  slow.add(file, { mtimeMs, size, digest: digestOf(Buffer.from("x = 1\n")) });
  slow.save();
  expect(isKnown("one")).toBe(true);
  expect(isKnown("one", "/other.py")).toBe(true);
});

test("a failure stays with its file, whatever is added around it", () => {
  const failure = { path: "b.py", message: "error: cannot parse: b.py:1:0", place: { line: 1, column: 1 } };
  remember("one", "/b.py", failure);
  remember("one", "/a.py");
  remember("one");
  expect(find("one", "/b.py")).toEqual(failure);
  expect([isKnown("one", "/a.py"), isKnown("one")]).toEqual([true, true]);
  remember("one", "/b.py");
  expect(isKnown("one", "/b.py")).toBe(true);
});

test("contents under the name of another key are not taken", () => {
  const stored = (): string[] =>
    readdirSync(join(folder, "cache"))
      .filter((name) => name.startsWith("files-"))
      .map((name) => join(folder, "cache", name));
  remember("one");
  const [one = ""] = stored();
  remember("two", "/other.py");
  const two = stored().find((path) => path !== one)!;
  copyFileSync(one, two);
  expect([isKnown("one"), isKnown("two")]).toEqual([true, false]);
});

test("a damaged cache is an empty one", () => {
  remember("one");
  const [name = ""] = readdirSync(join(folder, "cache"));
  writeFileSync(join(folder, "cache", name), '[["a"], 3, {"x"');
  expect(isKnown("one")).toBe(false);
});

/** A run that has asked about one file and remembers another. */
function addTo(key: string, path: string, failure?: KnownFailure): void {
  const cache = new Cache(join(folder, "cache"), key);
  const { mtimeMs, size } = statSync(file);
  cache.find(file, { mtimeMs, size });
  cache.add(path, { mtimeMs, size, digest: "", failure });
  cache.save();
}

const storedText = (): string => {
  const names = readdirSync(join(folder, "cache")).filter((name) => name.startsWith("files-"));
  return readFileSync(join(folder, "cache", names[0]!), "utf8");
};

test("a few files are added behind what is stored, the last word on each counts", () => {
  const failure = { path: "b.py", message: "error: cannot parse: b.py:1:0", place: { line: 1, column: 1 } };
  remember("one");
  const before = storedText();
  addTo("one", "/b.py", failure);
  expect(find("one", "/b.py")).toEqual(failure);
  addTo("one", "/b.py");
  expect(storedText().startsWith(`${before}\n`)).toBe(true);
  expect([isKnown("one"), isKnown("one", "/b.py")]).toEqual([true, true]);
  writeFileSync(file, "x = 12\n");
  expect(isKnown("one", "/b.py")).toBe(false);
});

test("once there are many of them, all is written anew", () => {
  remember("one");
  for (let count = 0; count <= 200; count++) addTo("one", `/${count}.py`);
  expect(storedText().split("\n")).toHaveLength(2);
  expect([isKnown("one"), isKnown("one", "/0.py"), isKnown("one", "/200.py")]).toEqual([true, true, true]);
});

test("an addition that was cut short spoils no other", () => {
  remember("one");
  addTo("one", "/b.py");
  const name = readdirSync(join(folder, "cache")).find((entry) => entry.startsWith("files-"))!;
  appendFileSync(join(folder, "cache", name), '\n[["/c.py",{"mtime');
  addTo("one", "/d.py");
  expect([isKnown("one"), isKnown("one", "/b.py"), isKnown("one", "/c.py"), isKnown("one", "/d.py")]).toEqual(
    [true, true, false, true],
  );
});

test("a damaged cache is written anew", () => {
  remember("one");
  const name = readdirSync(join(folder, "cache")).find((entry) => entry.startsWith("files-"))!;
  writeFileSync(join(folder, "cache", name), `${storedText().split("\n")[0]}\n{"paths":`);
  addTo("one", "/b.py");
  expect(isKnown("one", "/b.py")).toBe(true);
});

test("nothing is added to what another key has stored", () => {
  const [one, two] = ["one", "two"].map((key) => new Stored(join(folder, "cache"), "files", key));
  one!.write(1);
  const [first = ""] = readdirSync(join(folder, "cache"));
  two!.write(2);
  const second = readdirSync(join(folder, "cache")).find(
    (name) => name.startsWith("files-") && name !== first,
  )!;
  copyFileSync(join(folder, "cache", second), join(folder, "cache", first));
  expect([one!.append(3), two!.append(4)]).toEqual([false, true]);
  expect(two!.read()).toEqual({ contents: 2, additions: [4] });
});

test.each(["a.py/cache", "/proc/jetblack"])("a cache that cannot be made is no error: %s", (place) => {
  const cache = new Cache(resolve(folder, place), "one");
  cache.add(file, { mtimeMs: 1, size: 1, digest: digestOf(Buffer.from("x")) });
  expect(() => cache.save()).not.toThrow();
});
