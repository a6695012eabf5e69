import { setTimeout as sleep } from "node:timers/promises";
import type { FileReaders } from "./file-readers.ts";
import type { FileStorage, FileWriter } from "./file-storage.ts";
import type { UnclaimedFileStore } from "./unclaimed-file-store.ts";

/** Milliseconds between two notes that a file is still being written. */
const TOUCH_EVERY = 60_000;
/** Milliseconds that removing a file may take, before whoever began it counts as gone. */
const MAX_SWEEP = 60_000;
const POLL_MS = 100;
/** Files that one round removes. */
const SWEPT_AT_ONCE = 100;

/**
 * A storage of which the database knows what was begun, so that what killed writers left is removed wherever it is:
 * unfinished parts in object storage, pieces in the database, whole files that nothing came to name.
 */
export function claimedStorage(
  storage: FileStorage,
  unclaimed: UnclaimedFileStore,
  readers: FileReaders,
): FileStorage {
  const begin = async (key: string): Promise<void> => {
    while (!(await unclaimed.begin(key, Date.now(), Date.now() - MAX_SWEEP))) await sleep(POLL_MS);
  };
  return {
    create: async (key) => {
      await begin(key);
      const note = (upload_id: string): Promise<void> => unclaimed.touch(key, { upload_id });
      return noted(await storage.create(key, note), key, unclaimed);
    },
    read: (key, from, length) => storage.read(key, from, length),
    keep: (key) => unclaimed.forget(key),
    delete: async (key) => {
      await storage.delete(key);
      await unclaimed.forget(key);
    },
    removeLeftovers: async (before) => {
      await storage.removeLeftovers?.(before);
      for (const row of await unclaimed.stale(before, SWEPT_AT_ONCE)) {
        if (!(await unclaimed.sweep(row, Date.now()))) continue;
        // Its writer was killed between the last two steps.
        const isNamed = (await unclaimed.isNamed(row.key)) || (await readers.name(row.key));
        if (!isNamed) await storage.delete(row.key, row.upload_id ?? undefined);
        await unclaimed.forget(row.key);
      }
    },
  };
}

function noted(writer: FileWriter, key: string, unclaimed: UnclaimedFileStore): FileWriter {
  let touched = Date.now();
  return {
    write: async (chunk) => {
      await writer.write(chunk);
      if (Date.now() - touched < TOUCH_EVERY) return;
      touched = Date.now();
      await unclaimed.touch(key, { touched_at: touched });
    },
    commit: () => writer.commit(),
    abort: async () => {
      await writer.abort();
      await unclaimed.forget(key);
    },
  };
}
