import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { closeToOthers } from "./data-directory.ts";

/**
 * A lock on a folder that the kernel takes back when the process ends, also by `kill -9`, and that holds between
 * containers that share the folder, where process ids say nothing. Node has no such locks itself; SQLite's are such.
 */
export class ProcessLock {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** @returns `undefined` while another one has it */
  static take(folder: string, file = LOCK_FILE): ProcessLock | undefined {
    const path = join(folder, file);
    const database = new DatabaseSync(path);
    // Whoever may read it can hold it too, and nothing would start.
    closeToOthers(path, 0o600);
    try {
      database.exec("pragma busy_timeout = 0");
      // No file beside it: nothing is ever written to this database.
      database.exec("pragma journal_mode = memory");
      // Of two that try at the same moment one always gets the write lock; the exclusive one waits for readers to go, so
      // that each of two would meet the other's read lock and both would give up.
      database.exec("begin immediate");
      return new ProcessLock(database);
    } catch (error) {
      database.close();
      if (isBusy(error)) return undefined;
      throw error;
    }
  }

  release(): void {
    this.#database.close();
  }
}

export const LOCK_FILE = "lock";

/** SQLITE_BUSY. */
function isBusy(error: unknown): boolean {
  return ((error as { errcode?: number }).errcode ?? 0) % 256 === 5;
}
