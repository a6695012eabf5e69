import { setTimeout as sleep } from "node:timers/promises";
import { type HeldLease, Leases, readCheckpoint } from "../../platform/lease/leases.ts";
import type { Store } from "../../platform/store/schema.ts";
import type { FileReaders } from "./file-readers.ts";
import type { FileStorage, FileWriter } from "./file-storage.ts";

/** Milliseconds between two signs that a file is still being written, and without one before its writer counts as dead. */
const RENEW_EVERY_MS = 60_000;
const ALIVE_MS = 24 * 3_600_000;
/** Milliseconds that removing a file may take, before whoever began it counts as gone. */
const MAX_SWEEP_MS = 60_000;
const POLL_MS = 100;
/** Files that one round removes. */
const SWEPT_AT_ONCE = 100;
/** Holds the lease of a file that is being removed; writers wait for it. */
const SWEEPER = "sweeper";

/**
 * A storage of which the database knows what was begun, so that what killed writers left is removed wherever it is:
 * unfinished parts in object storage, pieces in the database, whole files that nothing came to name. Each such file is
 * a lease of its writer; the checkpoint has the id under which object storage knows the parts.
 */
export function claimedStorage(storage: FileStorage, { db }: Store, readers: FileReaders): FileStorage {
  const leases = new Leases("file");
  const begin = async (key: string): Promise<HeldLease> => {
    for (;;) {
      const lease = (await leases.take(db, [key], Date.now() + ALIVE_MS, SWEEPER)).get(key);
      if (lease !== undefined) return lease;
      await sleep(POLL_MS);
    }
  };
  const renewed = (writer: FileWriter, lease: HeldLease): FileWriter => {
    let renewedAt = Date.now();
    return {
      write: async (chunk) => {
        await writer.write(chunk);
        if (Date.now() - renewedAt < RENEW_EVERY_MS) return;
        renewedAt = Date.now();
        await leases.change(db, lease, { alive_until: renewedAt + ALIVE_MS });
      },
      commit: () => writer.commit(),
      abort: async () => {
        await writer.abort();
        await leases.forget(db, lease.name);
      },
    };
  };
  /** Whether an object or a record of a feature names the file: its writer was killed between the last two steps. */
  const isNamed = async (key: string): Promise<boolean> => {
    const named = db.selectFrom("objects").select("id").where("data", "like", `%"key":"${key}"%`);
    return (await named.executeTakeFirst()) !== undefined || readers.name(key);
  };
  return {
    create: async (key) => {
      const lease = await begin(key);
      const note = async (uploadId: string): Promise<void> => {
        await leases.change(db, lease, { checkpoint: JSON.stringify({ uploadId }) });
      };
      return renewed(await storage.create(key, note), lease);
    },
    read: (key, from, length) => storage.read(key, from, length),
    keep: (key) => leases.forget(db, key),
    delete: async (key) => {
      await storage.delete(key);
      await leases.forget(db, key);
    },
    removeLeftovers: async (before) => {
      await storage.removeLeftovers?.(before);
      for (const lost of await leases.lost(db, Date.now(), SWEPT_AT_ONCE)) {
        if (!(await leases.takeOver(db, lost, SWEEPER, Date.now() + MAX_SWEEP_MS))) continue;
        const { uploadId } = (readCheckpoint(lost) ?? {}) as { uploadId?: string };
        if (!(await isNamed(lost.name))) await storage.delete(lost.name, uploadId);
        await leases.forget(db, lost.name);
      }
    },
  };
}
