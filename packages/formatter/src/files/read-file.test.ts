import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readWhole } from "./read-file.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "jetblack-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("files of every length are read whole, long and short ones in turns, with their change times", () => {
  const path = join(folder, "a.py");
  for (const length of [3, 999_999, 0, 1_000_000, 1, 1_000_001, 3_000_000, 2]) {
    const bytes = Buffer.alloc(length, String(length));
    writeFileSync(path, bytes);
    utimesSync(path, 5, length);
    const read = readWhole(path);
    expect(bytes.equals(read.bytes)).toBe(true);
    expect(read.mtimeMs).toBe(statSync(path).mtimeMs);
  }
});

test.skipIf(process.platform !== "linux")("what has no size is read to its end", () => {
  expect(Buffer.from(readWhole("/proc/self/status").bytes).toString()).toMatch(/^Name:.*\n/);
});

test("what cannot be read is an error of the file system", () => {
  const path = join(folder, "b.py");
  expect(() => readWhole(path)).toThrow(/ENOENT/);
  mkdirSync(path);
  expect(() => readWhole(path)).toThrow(/EISDIR|EPERM|EACCES/);
});
