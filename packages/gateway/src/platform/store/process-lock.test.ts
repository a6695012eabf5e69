import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { LOCK_FILE, ProcessLock } from "./process-lock.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "portico-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("One at a time has the lock", () => {
  const first = ProcessLock.take(folder);
  expect(first).toBeDefined();
  expect(ProcessLock.take(folder)).toBeUndefined();
  first?.release();
  const second = ProcessLock.take(folder);
  expect(second).toBeDefined();
  second?.release();
});

it("Another one that tries at the same moment and has come as far as reading does not keep both from it", () => {
  ProcessLock.take(folder)?.release();
  const other = new DatabaseSync(join(folder, LOCK_FILE));
  other.exec("begin");
  other.prepare("select count(*) from sqlite_master").get();
  const lock = ProcessLock.take(folder);
  expect(lock).toBeDefined();
  expect(() => other.exec("create table t (c)")).toThrow("locked");
  other.close();
  lock?.release();
});
