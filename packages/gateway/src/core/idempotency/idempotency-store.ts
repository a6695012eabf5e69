import type { IdempotencyRow } from "../../platform/journal/journals-tables.ts";
import { ClaimStore } from "../../platform/lease/claim-store.ts";
import type { Store } from "../../platform/store/schema.ts";
import { withoutDiskWait } from "../../platform/store/without-disk-wait.ts";

/** Requests by the keys that their callers gave them. */
export class IdempotencyStore extends ClaimStore<IdempotencyRow> {
  readonly #db: Store["db"];

  constructor(store: Store) {
    super(store, "idempotency_keys", (run) => withoutDiskWait(store, run));
    this.#db = store.db;
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
