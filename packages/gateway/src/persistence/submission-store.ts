import type { Store } from "./store.ts";
import type { BatchSubmissionRow } from "./tables/batches-table.ts";

/** Batches on their way to providers. Of several processes that want one at the same moment exactly one gets it. */
export class SubmissionStore {
  readonly #db: Store["db"];

  constructor(store: Store) {
    this.#db = store.db;
  }

  /** @returns whether there was none with this id */
  async claim(row: BatchSubmissionRow): Promise<boolean> {
    const result = await this.#db
      .insertInto("batch_submissions")
      .values(row)
      .onConflict((conflict) => conflict.column("id").doNothing())
      .executeTakeFirst();
    return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  find(id: string): Promise<BatchSubmissionRow | undefined> {
    return this.#db.selectFrom("batch_submissions").selectAll().where("id", "=", id).executeTakeFirst();
  }

  /** Takes over from an owner that is not alive any more. @returns whether it worked */
  async takeOver(row: BatchSubmissionRow, from: BatchSubmissionRow): Promise<boolean> {
    const { id, ...change } = row;
    const result = await this.#db
      .updateTable("batch_submissions")
      .set(change)
      .where("id", "=", id)
      .where("owner", "=", from.owner)
      .where("alive_until", "=", from.alive_until)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  /** Changes what this owner still has. */
  async update(
    { id, owner }: BatchSubmissionRow,
    change: Partial<Omit<BatchSubmissionRow, "id" | "owner">>,
  ): Promise<void> {
    await this.#db
      .updateTable("batch_submissions")
      .set(change)
      .where("id", "=", id)
      .where("owner", "=", owner)
      .execute();
  }

  async delete({ id, owner }: BatchSubmissionRow): Promise<void> {
    await this.#db.deleteFrom("batch_submissions").where("id", "=", id).where("owner", "=", owner).execute();
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
