import { randomUUID } from "node:crypto";
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LOCK_FILE, ProcessLock } from "./process-lock.ts";

/** Folders of processes, and what versions before left without a lock. */
const FOLDERS = "portico-process-";
const FOLDER = /^portico-(?:process|upload|video|import)-/;
/** How long something without a lock may lie there before nobody can be using it; milliseconds. */
const UNUSED = 24 * 3_600_000;

let own: { readonly folder: string; readonly lock: ProcessLock } | undefined;

/**
 * A path for a file or folder that lives no longer than this process, and that whoever asks removes earlier. All of a
 * process are in one folder with a lock, by which another process tells that nobody needs it any more.
 */
export function temporaryPath(): string {
  // Cleaners of /tmp remove what nobody has touched for some days.
  if (own === undefined || !existsSync(own.folder)) own = makeFolder();
  return join(own.folder, randomUUID());
}

function makeFolder(): NonNullable<typeof own> {
  if (own === undefined) process.once("exit", removeOwn);
  own?.lock.release();
  for (;;) {
    const folder = mkdtempSync(join(tmpdir(), FOLDERS));
    const lock = ProcessLock.take(folder);
    // Another process that starts at this moment may have taken it for one that was left.
    if (lock !== undefined && existsSync(folder)) return { folder, lock };
    lock?.release();
  }
}

/** The lock goes last: without it another process that starts at this moment would remove the same files. */
function removeOwn(): void {
  if (own === undefined) return;
  try {
    rmSync(own.folder, { recursive: true, force: true });
  } catch {
    // What is left goes at the next start; it is no reason for this process to end with an error.
  }
  own.lock.release();
}

/** Removes what processes left that were killed, of this user only: what others put there may be links to anywhere. */
export function removeLeftTemporary(): void {
  for (const name of readdirSync(tmpdir())) {
    const path = join(tmpdir(), name);
    if (!FOLDER.test(name) || path === own?.folder) continue;
    try {
      removeIfLeft(path);
    } catch {
      // Another process removes it at this moment, or it cannot be removed; the next start tries again.
    }
  }
}

function removeIfLeft(path: string): void {
  const found = lstatSync(path);
  if (found.uid !== (process.getuid?.() ?? found.uid)) return;
  const remove = (): void => rmSync(path, { recursive: true, force: true });
  if (!found.isDirectory() || !existsSync(join(path, LOCK_FILE))) {
    if (found.mtimeMs < Date.now() - UNUSED) remove();
    return;
  }
  const lock = ProcessLock.take(path);
  if (lock === undefined) return;
  try {
    remove();
  } finally {
    lock.release();
  }
}
