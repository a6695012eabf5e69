import { ClaimStore } from "../../../platform/lease/claim-store.ts";
import type { Store } from "../../../platform/store/schema.ts";
import type { Also } from "../store.ts";
import type { BatchSubmissionRow } from "../table.ts";

/** Batches on their way to providers. */
export class SubmissionStore extends ClaimStore<BatchSubmissionRow> {
  readonly #db: Store["db"];

  constructor(store: Store) {
    super(store, "batch_submissions");
    this.#db = store.db;
  }

  /**
   * As `update`, with what is written together with it, all or nothing.
   * @returns whether this owner still had it
   */
  updateWith(
    { id, owner }: BatchSubmissionRow,
    change: Partial<BatchSubmissionRow>,
    also: Also,
  ): Promise<boolean> {
    return this.#db.transaction().execute(async (db) => {
      const result = await db
        .updateTable("batch_submissions")
        .set(change)
        .where("id", "=", id)
        .where("owner", "=", owner)
        .executeTakeFirst();
      if (result.numUpdatedRows === 0n) return false;
      await also(db);
      return true;
    });
  }

  /** Whether a batch of the same file may belong to another one: to one that is being sent, or to an earlier lost one. */
  async isContested({ id, provider_file_id }: BatchSubmissionRow, now: number): Promise<boolean> {
    const other = await this.#db
      .selectFrom("batch_submissions")
      .select("id")
      .where("provider_file_id", "=", provider_file_id)
      .where("alive_until", ">", now)
      .where((where) =>
        where.or([
          where.and([where("state", "=", "sent"), where("id", "!=", id)]),
          where.and([where("state", "=", "lost"), where("id", "<", id)]),
        ]),
      )
      .executeTakeFirst();
    return other !== undefined;
  }

  /** Forgets those whose time is over. */
  async removeExpired(now: number): Promise<void> {
    await this.#db
      .deleteFrom("batch_submissions")
      .where("expires_at", "<=", now)
      .where("alive_until", "<=", now)
      .execute();
  }
}
