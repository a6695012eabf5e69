import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Stored } from "./stored.ts";
import { StoredTexts } from "./stored-texts.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "jetblack-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (): StoredTexts => new StoredTexts(new Stored(folder, "texts", "key"));

test("a result is kept for its kind and its text", () => {
  const first = open();
  first.add("length", "abc", 3);
  expect(open().find("length", "abc")).toBeUndefined();
  first.save();
  expect(open().find("length", "abc")).toBe(3);
  expect(open().find("width", "abc")).toBeUndefined();
  expect(open().find("length", "abd")).toBeUndefined();
});

test("what is not asked for stays a while, and does not heap up", () => {
  for (let count = 0; count < 40; count++) {
    const texts = open();
    texts.find("length", "often");
    if (count === 0) texts.add("length", "often", 5);
    texts.add("length", `text ${count}`, count);
    texts.save();
  }
  expect(open().find("length", "often")).toBe(5);
  expect(open().find("length", "text 38")).toBe(38);
  expect(open().find("length", "text 2")).toBeUndefined();
});

test("nothing is written when nothing is new, and damaged contents are none", () => {
  const first = open();
  first.add("length", "abc", 3);
  first.save();
  const name = readdirSync(folder).find((found) => found !== "swept")!;
  const path = join(folder, name);
  const { ino } = statSync(path);
  const second = open();
  second.find("length", "abc");
  second.save();
  expect(statSync(path).ino).toBe(ino);
  writeFileSync(path, "[[[");
  expect(open().find("length", "abc")).toBeUndefined();
});
