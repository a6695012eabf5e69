import type { Store } from "./store.ts";
import type { IdempotencyRow } from "./tables/journals-tables.ts";
import { withoutDiskWait } from "./without-disk-wait.ts";

/** The end of an answer's head: what a repeated request gets without waiting. */
export type IdempotencyChange = Partial<Omit<IdempotencyRow, "id" | "owner">>;

/** Requests by the keys that their callers gave them. */
export class IdempotencyStore {
  readonly #store: Store;
  readonly #db: Store["db"];

  constructor(store: Store) {
    this.#store = store;
    this.#db = store.db;
  }

  /** @returns whether this caller is the first; of several at the same moment exactly one is */
  async claim(row: IdempotencyRow): Promise<boolean> {
    const result = await withoutDiskWait(this.#store, (db) =>
      db
        .insertInto("idempotency_keys")
        .values(row)
        .onConflict((conflict) => conflict.column("id").doNothing())
        .executeTakeFirst(),
    );
    return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  /** Takes over from an owner that is not alive any more. @returns whether it worked */
  async takeOver(row: IdempotencyRow, from: IdempotencyRow): Promise<boolean> {
    const { id, ...change } = row;
    const result = await this.#db
      .updateTable("idempotency_keys")
      .set(change)
      .where("id", "=", id)
      .where("owner", "=", from.owner)
      .where("alive_until", "=", from.alive_until)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  find(id: string): Promise<IdempotencyRow | undefined> {
    return this.#db.selectFrom("idempotency_keys").selectAll().where("id", "=", id).executeTakeFirst();
  }

  /** @returns whether the owner still had it */
  async update(id: string, owner: string, change: IdempotencyChange): Promise<boolean> {
    const result = await withoutDiskWait(this.#store, (db) =>
      db
        .updateTable("idempotency_keys")
        .set(change)
        .where("id", "=", id)
        .where("owner", "=", owner)
        .executeTakeFirst(),
    );
    return result.numUpdatedRows > 0n;
  }

  async delete(id: string, owner: string): Promise<void> {
    await this.#db.deleteFrom("idempotency_keys").where("id", "=", id).where("owner", "=", owner).execute();
  }

  /** Forgets keys whose time is over; their streams are told by id. */
  async removeExpired(now: number, limit: number): Promise<string[]> {
    const rows = await this.#db
      .selectFrom("idempotency_keys")
      .select("id")
      .where("expires_at", "<=", now)
      .where("alive_until", "<=", now)
      .limit(limit)
      .execute();
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await this.#db.deleteFrom("idempotency_keys").where("id", "in", ids).execute();
    return ids;
  }
}
