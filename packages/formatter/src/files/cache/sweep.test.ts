import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Stored } from "./stored.ts";
import { sweepNowAndThen } from "./sweep.ts";

const DAY = 24 * 60 * 60 * 1000;
const now = Date.now();

let parent = "";
let folder = "";
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "jetblack-"));
  folder = join(parent, "2.0.0");
});
afterEach(() => rmSync(parent, { recursive: true }));

/** A file that was read and written last so many days ago. */
function fileOfAge(path: string, read: number, written = read): void {
  mkdirSync(dirname(join(parent, path)), { recursive: true });
  writeFileSync(join(parent, path), "");
  utimesSync(join(parent, path), (now - read * DAY) / 1000, (now - written * DAY) / 1000);
}

test("files that were neither read nor written for a month go, whatever version left them", () => {
  fileOfAge("2.0.0/files-0123abcd", 31);
  fileOfAge("2.0.0/folders-0123abcd", 1, 90);
  fileOfAge("2.0.0/settings-0123abcd", 90, 1);
  fileOfAge("2.0.0/files-0123abcd.17-x1y2", 31);
  fileOfAge("1.9.0/files-4567abcd", 31);
  fileOfAge("1.9.1/files-4567abcd", 31);
  fileOfAge("1.9.1/folders-4567abcd", 2);
  sweepNowAndThen(folder, now);
  expect(readdirSync(folder).sort()).toEqual(["folders-0123abcd", "settings-0123abcd", "swept"]);
  expect(readdirSync(parent).sort()).toEqual(["1.9.1", "2.0.0"]);
  expect(readdirSync(join(parent, "1.9.1"))).toEqual(["folders-4567abcd"]);
});

test("what is not the cache's stays", () => {
  const others = [
    "notes/files-0123abcd",
    "25.1.0/cache.88.pickle",
    "2.0.0/files-0123abcd.py.bak/x",
    "files-0123abcd",
  ];
  for (const path of others) fileOfAge(path, 90);
  sweepNowAndThen(folder, now);
  expect(others.filter((path) => !existsSync(join(parent, path)))).toEqual([]);
});

test("the folder is looked at once a day, when something is stored", () => {
  const stored = new Stored(folder, "files", "key");
  stored.write(1);
  fileOfAge("2.0.0/files-0123abcd", 31);
  stored.write(2);
  expect(readdirSync(folder)).toContain("files-0123abcd");
  fileOfAge("2.0.0/swept", 2);
  stored.write(3);
  expect(readdirSync(folder)).not.toContain("files-0123abcd");
  expect(stored.read()?.contents).toBe(3);
});
