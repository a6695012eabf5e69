import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeDataDirectory } from "../../../platform/store/data-directory.ts";
import { LOCK_FILE, ProcessLock } from "../../../platform/store/process-lock.ts";

/** The folder in the data directory in which every process has one of its own. */
const ROOT = "spend-journal";
/** The number in a segment's name; its format is the first. */
const SEGMENT = /^v1-(\d{8})\.journal$/;

/** Where the journals of the processes are that share a data directory. */
export function journalRoot(dataDirectory: string): string {
  return join(dataDirectory, ROOT);
}

/** The folder of one process, held by its lock. */
export interface OwnFolder {
  readonly path: string;
  readonly lock: ProcessLock;
}

/** Makes a folder for this process. The lock comes first: a folder without it may be taken for a dead process's. */
export function makeOwnFolder(root: string): OwnFolder {
  makeDataDirectory(root);
  const path = join(root, randomUUID());
  mkdirSync(path, { mode: 0o700 });
  const lock = ProcessLock.take(path);
  if (lock === undefined) throw new Error(`${path} is locked by another process`);
  return { path, lock };
}

/** Removes a folder whose segments are gone; one that still has some stays. */
export function removeFolder(path: string): void {
  if (namesIn(path).some((name) => name !== LOCK_FILE)) return;
  try {
    rmSync(join(path, LOCK_FILE), { force: true });
    rmdirSync(path);
  } catch (error) {
    // Another process may look into it at this moment; it is empty and is removed later.
    if (!["ENOENT", "ENOTEMPTY", "EEXIST", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? ""))
      throw error;
  }
}

export function segmentPath(folder: string, number: number): string {
  return join(folder, `v1-${String(number).padStart(8, "0")}.journal`);
}

/** The segments of a folder, oldest first. */
export function segmentsIn(folder: string): string[] {
  return namesIn(folder)
    .filter((name) => SEGMENT.test(name))
    .sort()
    .map((name) => join(folder, name));
}

/** The folders of all processes. */
export function foldersIn(root: string): string[] {
  return namesIn(root).map((name) => join(root, name));
}

/** Bytes of all segments of all processes, also of those that are set aside. */
export function bytesIn(root: string): number {
  let sum = 0;
  for (const folder of foldersIn(root))
    for (const name of namesIn(folder))
      sum += statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  return sum;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (["EACCES", "ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}
