import type { Store } from "../../platform/store/store.ts";
import type { UnclaimedFileRow } from "./table.ts";

/** Files in the storage that nothing names yet: those being written, and what killed writers left. */
export class UnclaimedFileStore {
  readonly #db: Store["db"];

  constructor(store: Store) {
    this.#db = store.db;
  }

  /**
   * Notes a file that is about to be written.
   * @param sweptBefore milliseconds since the epoch; whoever began to remove it earlier is gone
   * @returns whether it may be: not while its predecessor is being removed
   */
  async begin(key: string, now: number, sweptBefore: number): Promise<boolean> {
    const row = { key, upload_id: null, touched_at: now, swept_at: 0 };
    const { numInsertedOrUpdatedRows = 0n } = await this.#db
      .insertInto("unclaimed_files")
      .values(row)
      .onConflict((conflict) =>
        conflict.column("key").doUpdateSet(row).where("unclaimed_files.swept_at", "<", sweptBefore),
      )
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows > 0n;
  }

  /** Notes that a file is still being written, or under which id the object storage knows its parts. */
  async touch(
    key: string,
    change: Partial<Pick<UnclaimedFileRow, "touched_at" | "upload_id">>,
  ): Promise<void> {
    await this.#db.updateTable("unclaimed_files").set(change).where("key", "=", key).execute();
  }

  /** Something names the file, or it is gone. */
  async forget(key: string): Promise<void> {
    await this.#db.deleteFrom("unclaimed_files").where("key", "=", key).execute();
  }

  /** Some that nobody has touched since a time (milliseconds since the epoch). */
  stale(before: number, limit: number): Promise<UnclaimedFileRow[]> {
    return this.#db
      .selectFrom("unclaimed_files")
      .selectAll()
      .where("touched_at", "<", before)
      .orderBy("touched_at")
      .limit(limit)
      .execute();
  }

  /** Keeps others from writing the file until it is removed. @returns whether it is still as it was */
  async sweep({ key, touched_at }: UnclaimedFileRow, now: number): Promise<boolean> {
    const result = await this.#db
      .updateTable("unclaimed_files")
      .set({ swept_at: now })
      .where("key", "=", key)
      .where("touched_at", "=", touched_at)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  /** Whether an object names the file after all. */
  async isNamed(key: string): Promise<boolean> {
    const object = await this.#db
      .selectFrom("objects")
      .select("id")
      .where("data", "like", `%"key":"${key}"%`)
      .executeTakeFirst();
    return object !== undefined;
  }
}
