import { chmodSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { SetupError } from "../../contract/setup-error.ts";

/**
 * Makes the data directory and what is missing above it; only its owner may enter it, also where it was there before.
 * @throws SetupError where a file has its name
 */
export function makeDataDirectory(folder: string): void {
  makeFolders(folder);
  if (!statSync(folder).isDirectory())
    throw new SetupError(`the data directory ${folder} is a file; name a folder with --data-dir`);
  closeToOthers(folder, 0o700);
}

/**
 * Makes a folder and what is missing above it, for its owner alone; what is there stays as it is. One level at a time:
 * Node's recursive `mkdirSync` never returns where a file system answers ENOENT to every attempt, as /proc does.
 */
export function makeFolders(folder: string): void {
  const missing: string[] = [];
  for (let path = resolve(folder); !isThere(path); path = dirname(path)) missing.push(path);
  for (const path of missing.reverse()) {
    try {
      mkdirSync(path, { mode: 0o700 });
    } catch (error) {
      // Another process that starts at the same moment may have made it.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

/**
 * Takes a file's or folder's rights from other users of the machine. One that belongs to somebody else stays as its
 * owner has it, which only an administrator of the machine can change; one that another process removes at this moment
 * needs nothing any more.
 */
export function closeToOthers(path: string, mode: number): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & 0o077) === 0) return;
  try {
    chmodSync(path, mode);
  } catch (error) {
    if (!["EPERM", "EROFS", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined || dirname(path) === path;
}
