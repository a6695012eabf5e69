import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  CHANGED,
  DEVICE,
  INODE,
  MODIFIED,
  milliseconds,
  type NativeStat,
  SIZE,
  statReader,
} from "./stat-reader.ts";

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
  const read = statReader(folder, stat());
  for (const path of [join(folder, "a.py"), folder]) {
    const numbers = read(path)!;
    const { dev, ino, size, mtimeMs, ctimeMs } = statSync(path);
    expect([numbers[DEVICE], numbers[INODE], numbers[SIZE]]).toEqual([dev, ino, size]);
    expect([milliseconds(numbers, MODIFIED), milliseconds(numbers, CHANGED)]).toEqual([mtimeMs, ctimeMs]);
  }
  expect(read(join(folder, "missing"))).toBeUndefined();
  expect(read(join(folder, "a.py", "below"))).toBeUndefined();
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
  const read = statReader(folder, stat);
  expect(read(join(folder, "a.py"))?.[SIZE]).toBe(6);
});
