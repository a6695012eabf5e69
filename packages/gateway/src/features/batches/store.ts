import { sql } from "kysely";
import type { Store } from "../../platform/store/schema.ts";
import { piecesOf } from "../../util/pieces.ts";
import type { BatchRowRow, BatchStatus, BatchTableRow, RowState } from "./table.ts";

/** Rows in one insert; SQLite takes 32,766 values. */
const ROWS_PER_INSERT = 500;

/** How one row ended. */
export interface RowResult {
  readonly line: number;
  readonly state: Exclude<RowState, "waiting">;
  /** The line of the output or error file. */
  readonly result: string | null;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/** Which of the gateway's batches to list. */
export interface BatchPage {
  /** Absent: every tenant's. */
  readonly tenant: string | undefined;
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly limit: number;
  readonly after?: Pick<BatchTableRow, "created_at" | "id"> | undefined;
  /** The page then ends before this batch. */
  readonly before?: Pick<BatchTableRow, "created_at" | "id"> | undefined;
}

/** Further writes of a transaction. */
export type Also = (db: Store["db"]) => Promise<void>;

/** Statuses that a batch does not leave. */
export const finalStatuses: readonly BatchStatus[] = ["completed", "failed", "expired", "cancelled"];

/** A batch that has just begun. */
export const nothingYet = {
  status: "validating",
  completed: 0,
  failed: 0,
  input_tokens: 0,
  cached_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  errors: null,
  output_file_id: null,
  error_file_id: null,
  in_progress_at: null,
  finalizing_at: null,
  completed_at: null,
  failed_at: null,
  expired_at: null,
  cancelling_at: null,
  cancelled_at: null,
} as const;

/** The batches whose rows the gateway stores. Every change is one transaction, so counts and rows always agree. */
export class BatchStore {
  readonly #db: Store["db"];

  constructor(store: Store) {
    this.#db = store.db;
  }

  /** Adds a batch, and what is written together with it, all or nothing. */
  async insert(batch: BatchTableRow, also: Also): Promise<void> {
    await this.#db.transaction().execute(async (db) => {
      await db.insertInto("batches").values(batch).execute();
      await also(db);
    });
  }

  async find(id: string): Promise<BatchTableRow | undefined> {
    return this.#db.selectFrom("batches").selectAll().where("id", "=", id).executeTakeFirst();
  }

  /** Newest first. */
  async list({
    tenant,
    provider,
    model,
    endpoint,
    limit,
    after,
    before,
  }: BatchPage): Promise<BatchTableRow[]> {
    let query = this.#db.selectFrom("batches").selectAll();
    if (tenant !== undefined) query = query.where("tenant", "=", tenant);
    if (provider !== undefined) query = query.where("provider", "=", provider);
    if (model !== undefined) query = query.where("model", "=", model);
    if (endpoint !== undefined) query = query.where("endpoint", "=", endpoint);
    const edge = before ?? after;
    const side = before === undefined ? "<" : ">";
    if (edge !== undefined)
      query = query.where((where) =>
        where.or([
          where("created_at", side, edge.created_at),
          where.and([where("created_at", "=", edge.created_at), where("id", side, edge.id)]),
        ]),
      );
    // The nearest ones before a batch are found in the other direction.
    const order = before === undefined ? "desc" : "asc";
    const rows = await query.orderBy("created_at", order).orderBy("id", order).limit(limit).execute();
    return before === undefined ? rows : rows.reverse();
  }

  /** Batches that are not over, for a process that takes up their work. */
  async unfinished(): Promise<BatchTableRow[]> {
    return this.#db.selectFrom("batches").selectAll().where("status", "not in", finalStatuses).execute();
  }

  /**
   * Changes a batch if it is still in one of these statuses.
   * @param also what is written together with the change, all or nothing
   * @returns whether it was
   */
  async change(
    id: string,
    from: readonly BatchStatus[],
    change: Partial<BatchTableRow>,
    also?: Also,
  ): Promise<boolean> {
    if (also === undefined) return changeIn(this.#db, id, from, change);
    return this.#db.transaction().execute(async (db) => {
      const isChanged = await changeIn(db, id, from, change);
      if (isChanged) await also(db);
      return isChanged;
    });
  }

  /** Adds rows; those that are there already stay as they are. */
  async addRows(rows: readonly BatchRowRow[]): Promise<void> {
    for (const some of piecesOf(rows, ROWS_PER_INSERT))
      await this.#db
        .insertInto("batch_rows")
        .values(some)
        .onConflict((conflict) => conflict.columns(["batch_id", "line"]).doNothing())
        .execute();
  }

  /** Rows by line: from a line on, up to one (excluded), in some states. */
  async rows(
    batchId: string,
    states: readonly RowState[],
    { from = 0, to, limit }: { from?: number; to?: number; limit: number },
  ): Promise<BatchRowRow[]> {
    let query = this.#db
      .selectFrom("batch_rows")
      .selectAll()
      .where("batch_id", "=", batchId)
      .where("line", ">=", from)
      .where("state", "in", states);
    if (to !== undefined) query = query.where("line", "<", to);
    return query.orderBy("line").limit(limit).execute();
  }

  /** The lines of a batch's rows, by their names. */
  async linesByName(batchId: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#db
      .selectFrom("batch_rows")
      .select(["line", "custom_id"])
      .where("batch_id", "=", batchId)
      .execute();
    return new Map(rows.map(({ line, custom_id }) => [custom_id, line]));
  }

  /** Of some batches those that the gateway stores. */
  async known(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.#db.selectFrom("batches").select("id").where("id", "in", ids).execute();
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Writes down how rows ended and counts them. Of two results of a row the first counts.
   * @returns the batch as it is then
   */
  async settleRows(batchId: string, results: readonly RowResult[]): Promise<BatchTableRow | undefined> {
    return this.#db.transaction().execute(async (db) => {
      const accepted = await settleWaitingRows(db, batchId, results);
      const sum = (value: (result: RowResult) => number): number =>
        accepted.reduce((total, result) => total + value(result), 0);
      return db
        .updateTable("batches")
        .set((set) => ({
          completed: set(
            "completed",
            "+",
            sum(({ state }) => (state === "completed" ? 1 : 0)),
          ),
          failed: set(
            "failed",
            "+",
            sum(({ state }) => (state === "completed" ? 0 : 1)),
          ),
          input_tokens: set(
            "input_tokens",
            "+",
            sum(({ inputTokens }) => inputTokens),
          ),
          cached_tokens: set(
            "cached_tokens",
            "+",
            sum(({ cachedTokens }) => cachedTokens),
          ),
          output_tokens: set(
            "output_tokens",
            "+",
            sum(({ outputTokens }) => outputTokens),
          ),
          reasoning_tokens: set(
            "reasoning_tokens",
            "+",
            sum(({ reasoningTokens }) => reasoningTokens),
          ),
        }))
        .where("id", "=", batchId)
        .returningAll()
        .executeTakeFirst();
    });
  }

  /** Ends every row that has no result yet; they count as failed. */
  async settleWaiting(batchId: string, state: "expired" | "cancelled"): Promise<void> {
    await this.#db.transaction().execute(async (db) => {
      const ended = await db
        .updateTable("batch_rows")
        .set({ state })
        .where("batch_id", "=", batchId)
        .where("state", "=", "waiting")
        .executeTakeFirst();
      await db
        .updateTable("batches")
        .set({ failed: sql<number>`failed + ${Number(ended.numUpdatedRows)}` })
        .where("id", "=", batchId)
        .execute();
    });
  }

  /** Has rows wait until a time, after failures that may pass. */
  async postpone(batchId: string, line: number, attempts: number, notBefore: number): Promise<void> {
    await this.#db
      .updateTable("batch_rows")
      .set({ attempts, not_before: notBefore })
      .where("batch_id", "=", batchId)
      .where("line", "=", line)
      .where("state", "=", "waiting")
      .execute();
  }

  /** Forgets a batch that is over. */
  async delete(batchId: string): Promise<void> {
    await this.#db.deleteFrom("batches").where("id", "=", batchId).execute();
  }

  /** The rows of a batch that is over: its files have them. */
  async deleteRows(batchId: string, within: Store["db"]): Promise<void> {
    await within.deleteFrom("batch_rows").where("batch_id", "=", batchId).execute();
  }

  /** Whether a file is the input of a batch that is not over. */
  async isInUse(fileId: string): Promise<boolean> {
    const batch = await this.#db
      .selectFrom("batches")
      .select("id")
      .where("input_file_id", "=", fileId)
      .where("status", "not in", finalStatuses)
      .executeTakeFirst();
    return batch !== undefined;
  }

  /** Whether a batch names a file of the storage as its input. */
  async namesInput(key: string): Promise<boolean> {
    const batch = await this.#db
      .selectFrom("batches")
      .select("id")
      .where("input_key", "=", key)
      .executeTakeFirst();
    return batch !== undefined;
  }
}

async function changeIn(
  db: Store["db"],
  id: string,
  from: readonly BatchStatus[],
  change: Partial<BatchTableRow>,
): Promise<boolean> {
  const result = await db
    .updateTable("batches")
    .set(change)
    .where("id", "=", id)
    .where("status", "in", from)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Writes down how rows ended that have no result yet, all in one statement: a statement for each would keep the batch's
 * other replicas waiting for as many round trips.
 * @returns the results that counted
 */
async function settleWaitingRows(
  db: Store["db"],
  batchId: string,
  results: readonly RowResult[],
): Promise<RowResult[]> {
  const first = new Map<number, RowResult>();
  for (const result of results) if (!first.has(result.line)) first.set(result.line, result);
  if (first.size === 0) return [];
  // In the order of lines, so that two replicas that settle the same rows never wait for each other in a circle.
  const ordered = [...first.values()].sort((a, b) => a.line - b.line);
  // Both databases call the columns of `values` so.
  const values = sql.join(ordered.map(({ line, state, result }) => sql`(${line}, ${state}, ${result})`));
  const updated = await sql<{ line: number }>`
    update batch_rows set state = ended.column2, result = ended.column3
      from (values ${values}) as ended
      where batch_id = ${batchId} and line = cast(ended.column1 as integer) and state = 'waiting'
      returning line`.execute(db);
  return updated.rows.flatMap(({ line }) => first.get(Number(line)) ?? []);
}
