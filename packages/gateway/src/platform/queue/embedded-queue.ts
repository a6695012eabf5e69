import { randomUUID } from "node:crypto";
import { type CompiledQuery, sql } from "kysely";
import type { JsonObject } from "../../contract/json.ts";
import type { Store } from "../store/schema.ts";
import {
  DEFAULT_LEASE_MS,
  DEFAULT_MAX_ATTEMPTS,
  type EnqueueOptions,
  type JobQueue,
  type JobState,
  type JobView,
  type Lease,
  type QueueDepth,
} from "./job-queue.ts";
import type { JobRow } from "./jobs-table.ts";

const rowId = sql<number>`rowid`;

/** Places in a statement that is used again and again. */
const ANY_QUEUE = "any queue";
const ANY_TIME = -1;

/** The queue as a table beside the rest of the embedded store; one writer at a time makes its statements atomic. */
export class EmbeddedQueue implements JobQueue {
  readonly #db: Store["db"];
  readonly #now: () => number;

  /** Jobs that are due or whose lease is over, with places for queue and time. */
  readonly #look: CompiledQuery;

  constructor(store: Store, now: () => number = Date.now) {
    this.#db = store.db;
    this.#now = now;
    this.#look = this.#db
      .selectFrom("jobs")
      .select("key")
      .where("queue", "=", ANY_QUEUE)
      .where((where) =>
        where.or([
          where.and([where("state", "=", "waiting"), where("run_at", "<=", ANY_TIME)]),
          where.and([where("state", "=", "running"), where("lease_until", "<=", ANY_TIME)]),
        ]),
      )
      .limit(1)
      .compile();
  }

  async enqueue(
    queue: string,
    key: string,
    payload: JsonObject,
    options: EnqueueOptions = {},
  ): Promise<boolean> {
    const row: JobRow = {
      queue,
      key,
      payload: JSON.stringify(payload),
      checkpoint: null,
      state: "waiting",
      priority: options.priority ?? 0,
      run_at: options.runAt ?? this.#now(),
      attempts: 0,
      max_attempts: options.maxAttempts ?? DEFAULT_MAX_ATTEMPTS,
      lease_token: null,
      lease_until: null,
      error: null,
      created_at: this.#now(),
    };
    const result = await (options.within ?? this.#db)
      .insertInto("jobs")
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(["queue", "key"])
          .doUpdateSet(row)
          .where("jobs.state", "in", ["finished", "failed", "cancelled"]),
      )
      .executeTakeFirst();
    return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  async lease(queue: string, count: number, leaseMs: number = DEFAULT_LEASE_MS): Promise<Lease[]> {
    const now = this.#now();
    if (!(await this.#mayHaveWork(queue, now))) return [];
    await this.#giveUpOnExhausted(queue, now);
    const due = this.#db
      .selectFrom("jobs")
      .select("key")
      .where("queue", "=", queue)
      .where("run_at", "<=", now)
      .where((where) =>
        where.or([
          where("state", "=", "waiting"),
          where.and([where("state", "=", "running"), where("lease_until", "<=", now)]),
        ]),
      )
      .orderBy("priority", "desc")
      .orderBy("run_at")
      .orderBy("created_at")
      .limit(count);
    const rows = await this.#db
      .updateTable("jobs")
      .set((set) => ({
        state: "running",
        attempts: set("attempts", "+", 1),
        lease_token: randomUUID(),
        lease_until: now + leaseMs,
      }))
      .where("queue", "=", queue)
      .where("key", "in", due)
      .returningAll()
      .execute();
    return rows.map((row) => ({
      queue,
      key: row.key,
      payload: JSON.parse(row.payload) as JsonObject,
      checkpoint: parseCheckpoint(row),
      attempt: row.attempts,
      token: row.lease_token!,
    }));
  }

  renew(lease: Lease, leaseMs: number = DEFAULT_LEASE_MS): Promise<boolean> {
    return this.#change(lease, { lease_until: this.#now() + leaseMs });
  }

  checkpoint(lease: Lease, value: JsonObject): Promise<boolean> {
    return this.#change(lease, { checkpoint: JSON.stringify(value) });
  }

  finish(lease: Lease): Promise<boolean> {
    return this.#change(lease, { state: "finished", lease_token: null, lease_until: null });
  }

  async fail(lease: Lease, error: string, runAt: number): Promise<boolean> {
    const job = await this.#row(lease.queue, lease.key);
    const state = job !== undefined && job.attempts >= job.max_attempts ? "failed" : "waiting";
    return this.#change(lease, { state, error, run_at: runAt, lease_token: null, lease_until: null });
  }

  schedule(lease: Lease, runAt: number): Promise<boolean> {
    const attempts = lease.attempt - 1;
    return this.#change(lease, {
      state: "waiting",
      run_at: runAt,
      attempts,
      lease_token: null,
      lease_until: null,
    });
  }

  async cancel(queue: string, key: string): Promise<boolean> {
    const result = await this.#db
      .updateTable("jobs")
      .set({ state: "cancelled", lease_token: null, lease_until: null })
      .where("queue", "=", queue)
      .where("key", "=", key)
      .where("state", "in", ["waiting", "running"])
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  async find(queue: string, key: string): Promise<JobView | undefined> {
    const row = await this.#row(queue, key);
    if (row === undefined) return undefined;
    return {
      state: row.state,
      payload: JSON.parse(row.payload) as JsonObject,
      checkpoint: parseCheckpoint(row),
      attempt: row.attempts,
      error: row.error ?? undefined,
    };
  }

  async depths(): Promise<QueueDepth[]> {
    const rows = await this.#db
      .selectFrom("jobs")
      .select(({ fn }) => ["queue", "state", fn.countAll<number>().as("count")])
      .where("state", "in", ["waiting", "running"])
      .groupBy(["queue", "state"])
      .execute();
    const count = (queue: string, state: JobState): number =>
      Number(rows.find((row) => row.queue === queue && row.state === state)?.count ?? 0);
    return [...new Set(rows.map(({ queue }) => queue))].map((queue) => ({
      queue,
      waiting: count(queue, "waiting"),
      running: count(queue, "running"),
    }));
  }

  async removeSettled(before: number, limit: number): Promise<number> {
    const settled = this.#db
      .selectFrom("jobs")
      .select(rowId.as("id"))
      .where("state", "in", ["finished", "failed", "cancelled"])
      .where("run_at", "<", before)
      .limit(limit);
    const result = await this.#db.deleteFrom("jobs").where(rowId, "in", settled).executeTakeFirst();
    return Number(result.numDeletedRows);
  }

  /** The database belongs to the store. */
  async close(): Promise<void> {}

  /**
   * Whether a look for work may find any. Idle queues are asked twice a second each, by every worker of the gateway: one
   * statement that is put together once, and that wants no writer's lock.
   */
  async #mayHaveWork(queue: string, now: number): Promise<boolean> {
    const parameters = this.#look.parameters.map((value) =>
      value === ANY_QUEUE ? queue : value === ANY_TIME ? now : value,
    );
    const { rows } = await this.#db.executeQuery({ ...this.#look, parameters });
    return rows.length > 0;
  }

  #row(queue: string, key: string): Promise<JobRow | undefined> {
    return this.#db
      .selectFrom("jobs")
      .selectAll()
      .where("queue", "=", queue)
      .where("key", "=", key)
      .executeTakeFirst();
  }

  /** Changes the job if the lease is still held. An expired lease that nobody else took counts as held. */
  async #change(lease: Lease, change: Partial<JobRow>): Promise<boolean> {
    const result = await this.#db
      .updateTable("jobs")
      .set(change)
      .where("queue", "=", lease.queue)
      .where("key", "=", lease.key)
      .where("lease_token", "=", lease.token)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  /** A job that keeps killing its workers must not go round for ever. */
  async #giveUpOnExhausted(queue: string, now: number): Promise<void> {
    await this.#db
      .updateTable("jobs")
      .set({
        state: "failed",
        error: "Every attempt ended with its worker",
        lease_token: null,
        lease_until: null,
      })
      .where("queue", "=", queue)
      .where("state", "=", "running")
      .where("lease_until", "<=", now)
      .whereRef("attempts", ">=", "max_attempts")
      .execute();
  }
}

function parseCheckpoint(row: JobRow): JsonObject | undefined {
  return row.checkpoint === null ? undefined : (JSON.parse(row.checkpoint) as JsonObject);
}
