import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type NativeStat, statReader } from "./stat-reader.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "jetblack-"));
  writeFileSync(join(folder, "a.py"), "a = 1\n");
});
afterAll(() => rmSync(folder, { recursive: true }));

const { binding } = process as unknown as { binding: (name: string) => { stat: NativeStat } };

test.each([
  ["below it", (): NativeStat => binding("fs").stat],
  ["documented", (): undefined => undefined],
])("the %s function tells what fs.statSync does", (_name, stat) => {
  const reader = statReader(folder, stat());
  for (const path of [join(folder, "a.py"), folder]) {
    expect(reader.read(path)).toBe(true);
    const { dev, ino, size, mtimeMs, ctimeMs } = statSync(path);
    expect(reader.fields).toEqual({ dev, ino, size, mtimeMs, ctimeMs });
  }
  expect(reader.read(join(folder, "missing"))).toBe(false);
  expect(reader.read(join(folder, "a.py", "below"))).toBe(false);
});

test.each<[string, NativeStat]>([
  ["has its numbers elsewhere", () => Array.from({ length: 36 }, (_, index) => index)],
  ["finds nothing", () => undefined],
  [
    "is not there for us",
    () => {
      throw new Error("no");
    },
  ],
])("a function that %s is not used", (_name, stat) => {
  const reader = statReader(folder, stat);
  expect(reader.read(join(folder, "a.py"))).toBe(true);
  expect(reader.fields.size).toBe(6);
});
