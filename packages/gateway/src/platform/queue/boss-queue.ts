import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Db as BossDatabase, JobWithMetadata, PgBoss, SendOptions } from "pg-boss";
import type { JsonObject } from "../../contract/json.ts";
import { storableText } from "../../util/storable-text.ts";
import { type Held, Leases, readCheckpoint } from "../lease/leases.ts";
import type { Logger } from "../log/logger.ts";
import { Recurring } from "../log/recurring.ts";
import { answeringClient } from "../store/answering-client.ts";
import type { Store, StoreLocation } from "../store/schema.ts";
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

/** What we keep in a pg-boss job's data. */
interface BossData {
  readonly key: string;
  readonly payload: JsonObject;
  readonly maxAttempts: number;
  /** Attempts that ended without the job being done. */
  readonly attempts: number;
  /** Why the last of them failed. */
  readonly error?: string;
}

/** As it is, or where its JSON has what `jsonb` refuses, as a text that has this JSON. */
type StoredData = BossData | { readonly json: string };

type Db = Store["db"];

/** Milliseconds between two looks for leases that ran out. */
const SWEEP_EVERY_MS = 1000;
/** Seconds: pg-boss's own longest. Leases of ours end a worker's hold much earlier. */
const EXPIRE_SECONDS = 86_400;
/** Seconds that a job may wait, and that a settled one is remembered. */
const RETENTION_SECONDS = 10 * 365 * 86_400;
const DELETE_AFTER_SECONDS = 86_400;
/** Another schema than that of versions before 12, which cannot be brought up to date by the later ones. */
const SCHEMA_NAME = "portico_queue";
/** For pg-boss's maintenance, a statement at a time, and jobs that are looked up outside of transactions. */
const MAX_CONNECTIONS = 2;

const states: Readonly<Record<JobWithMetadata["state"], JobState>> = {
  created: "waiting",
  retry: "waiting",
  active: "running",
  completed: "finished",
  failed: "failed",
  cancelled: "cancelled",
};

/**
 * The queue on PostgreSQL: pg-boss keeps, orders and hands out the jobs. What it lacks is ours: leases that are renewed
 * and lost within seconds, checkpoints, jobs that are given back for a chosen time without an attempt being counted.
 * Each change of both is one transaction, so that no crash between them loses a job or lets it run twice.
 */
export class BossQueue implements JobQueue {
  readonly #boss: PgBoss;
  readonly #db: Db;
  readonly #within: (db: Db) => { db: BossDatabase };
  readonly #known = new Map<string, Promise<Leases>>();
  readonly #swept = new Map<string, number>();

  private constructor(boss: PgBoss, store: Store, within: (db: Db) => { db: BossDatabase }) {
    this.#boss = boss;
    this.#db = store.db;
    this.#within = within;
  }

  /**
   * Installs or migrates pg-boss's own schema in the store's database. What pg-boss does by itself goes over connections of
   * its own: its maintenance sends texts of several statements, of which Kysely sees no row, and a failed one would leave
   * its transaction open on a connection of the store. What changes jobs goes over the store's, in its transactions.
   */
  static async open(store: Store, logger: Logger): Promise<BossQueue> {
    const { PgBoss: Boss, fromKysely } = await import("pg-boss");
    const within = (db: Db) => ({ db: fromKysely(db) });
    const { url } = store.location as Extract<StoreLocation, { kind: "postgres" }>;
    const connection = { connectionString: url, keepAlive: true, application_name: "portico queue" };
    const pool: object = { Client: await answeringClient(connection, logger), max: MAX_CONNECTIONS };
    const boss = new Boss({
      ...connection,
      ...pool,
      schema: SCHEMA_NAME,
      schedule: false,
    });
    const failing = new Recurring();
    boss.on("error", (error) => {
      if (failing.failed(error.message)) logger.warn({ error: error.message }, "queue maintenance failed");
    });
    await inTurn(store.db, () => boss.start());
    return new BossQueue(boss, store, within);
  }

  async enqueue(
    queue: string,
    key: string,
    payload: JsonObject,
    options: EnqueueOptions = {},
  ): Promise<boolean> {
    const leases = await this.#ready(queue);
    const id = jobId(queue, key);
    const data: BossData = {
      key,
      payload,
      maxAttempts: options.maxAttempts ?? DEFAULT_MAX_ATTEMPTS,
      attempts: 0,
    };
    const add = async (db: Db): Promise<boolean> => {
      const found = await this.#boss.getJobById<StoredData>(queue, id, this.#within(db));
      if (found !== null) {
        if (["waiting", "running"].includes(states[found.state])) return false;
        await this.#boss.deleteJob(queue, id, this.#within(db));
        await leases.forget(db, key);
      }
      return this.#send(db, queue, data, { priority: options.priority ?? 0, runAt: options.runAt });
    };
    return options.within === undefined ? this.#db.transaction().execute(add) : add(options.within);
  }

  async lease(queue: string, count: number, leaseMs: number = DEFAULT_LEASE_MS): Promise<Lease[]> {
    const leases = await this.#ready(queue);
    await this.#sweep(queue, leases);
    return this.#db.transaction().execute(async (db) => {
      const options = { batchSize: count, includeMetadata: true as const, ...this.#within(db) };
      const fetched = await this.#boss.fetch<StoredData>(queue, options);
      if (fetched.length === 0) return [];
      const jobs = fetched.map(({ data }) => opened(data));
      const keys = jobs.map(({ key }) => key);
      const taken = await leases.take(db, keys, Date.now() + leaseMs);
      return jobs.map((data) => {
        const row = taken.get(data.key)!;
        return {
          queue,
          key: data.key,
          payload: data.payload,
          checkpoint: readCheckpoint(row),
          attempt: data.attempts + 1,
          token: row.owner!,
        };
      });
    });
  }

  async renew(lease: Lease, leaseMs: number = DEFAULT_LEASE_MS): Promise<boolean> {
    const leases = await this.#ready(lease.queue);
    return leases.change(this.#db, heldBy(lease), { alive_until: Date.now() + leaseMs });
  }

  async checkpoint(lease: Lease, value: JsonObject): Promise<boolean> {
    const leases = await this.#ready(lease.queue);
    return leases.change(this.#db, heldBy(lease), { checkpoint: JSON.stringify(value) });
  }

  finish(lease: Lease): Promise<boolean> {
    return this.#settle(lease.queue, heldBy(lease), async (db, job) => {
      await this.#boss.complete(lease.queue, job.id, null, this.#within(db));
    });
  }

  fail(lease: Lease, error: string, runAt: number): Promise<boolean> {
    return this.#settle(lease.queue, heldBy(lease), (db, job) =>
      this.#endAttempt(db, lease.queue, job, error, runAt),
    );
  }

  schedule(lease: Lease, runAt: number): Promise<boolean> {
    return this.#settle(lease.queue, heldBy(lease), (db, job) =>
      this.#giveBack(db, lease.queue, job, job.data, runAt),
    );
  }

  async cancel(queue: string, key: string): Promise<boolean> {
    const leases = await this.#ready(queue);
    const id = jobId(queue, key);
    return this.#db.transaction().execute(async (db) => {
      const isOpen = async (): Promise<boolean> => {
        const found = await this.#boss.getJobById<StoredData>(queue, id, this.#within(db));
        return found !== null && ["waiting", "running"].includes(states[found.state]);
      };
      if (!(await isOpen())) return false;
      // The lease before the job, as a worker locks them that ends its job: the other order would deadlock with it.
      await leases.forget(db, key);
      if (!(await isOpen())) return false;
      await this.#boss.cancel(queue, id, this.#within(db));
      return true;
    });
  }

  async find(queue: string, key: string): Promise<JobView | undefined> {
    const leases = await this.#ready(queue);
    const job = await this.#boss.getJobById<StoredData>(queue, jobId(queue, key));
    if (job === null) return undefined;
    const { payload, attempts, error } = opened(job.data);
    const state = states[job.state];
    return {
      state,
      payload,
      checkpoint: await leases.checkpointOf(this.#db, key),
      attempt: attempts + (state === "running" ? 1 : 0),
      error: errorIn(job.output) ?? error,
    };
  }

  async depths(): Promise<QueueDepth[]> {
    const queues = await this.#boss.getQueues();
    return Promise.all(
      queues.map(async ({ name }) => {
        const [stats] = await this.#boss.getQueueStats(name, { force: true });
        return { queue: name, waiting: stats!.queuedCount, running: stats!.activeCount };
      }),
    );
  }

  /** pg-boss forgets jobs itself; their leases go with them. */
  async removeSettled(_: number, limit: number): Promise<number> {
    let removed = 0;
    for (const queue of this.#known.keys()) {
      const leases = await this.#ready(queue);
      for (const name of await leases.idle(this.#db, limit)) {
        if ((await this.#boss.getJobById(queue, jobId(queue, name))) !== null) continue;
        await leases.forget(this.#db, name);
        removed += 1;
      }
    }
    return removed;
  }

  close(): Promise<void> {
    return this.#boss.stop({ graceful: false });
  }

  /** Queues are created on first use; every process may do it. */
  #ready(queue: string): Promise<Leases> {
    let ready = this.#known.get(queue);
    if (ready === undefined) {
      ready = this.#create(queue);
      ready.catch(() => this.#known.delete(queue));
      this.#known.set(queue, ready);
    }
    return ready;
  }

  async #create(queue: string): Promise<Leases> {
    await inTurn(this.#db, async () => {
      if ((await this.#boss.getQueue(queue)) === null)
        await this.#boss.createQueue(queue, { policy: "standard" });
    });
    return new Leases(`job:${queue}`);
  }

  /** Whether this lease was still held; if so, what is done to its job is done together with its end. */
  async #settle(
    queue: string,
    held: Held,
    change: (db: Db, job: JobWithMetadata<BossData>) => Promise<void>,
  ): Promise<boolean> {
    const leases = await this.#ready(queue);
    return this.#db.transaction().execute(async (db) => {
      if (!(await leases.release(db, held))) return false;
      const job = await this.#boss.getJobById<StoredData>(queue, jobId(queue, held.name), this.#within(db));
      if (job?.state !== "active") return false;
      await change(db, { ...job, data: opened(job.data) });
      return true;
    });
  }

  /** Takes jobs back from workers that died. */
  async #sweep(queue: string, leases: Leases): Promise<void> {
    const now = performance.now();
    if (now - (this.#swept.get(queue) ?? Number.NEGATIVE_INFINITY) < SWEEP_EVERY_MS) return;
    this.#swept.set(queue, now);
    for (const held of await leases.lost(this.#db, Date.now()))
      await this.#settle(queue, held, (db, job) =>
        this.#endAttempt(db, queue, job, "Every attempt ended with its worker", Date.now()),
      );
  }

  /** Counts an attempt that did not get the job done; the last one fails the job. */
  async #endAttempt(
    db: Db,
    queue: string,
    job: JobWithMetadata<BossData>,
    error: string,
    runAt: number,
  ): Promise<void> {
    const attempts = job.data.attempts + 1;
    if (attempts < job.data.maxAttempts)
      return this.#giveBack(db, queue, job, { ...job.data, attempts, error }, runAt);
    const text = storableText(error);
    await this.#boss.fail(queue, job.id, { error: text }, this.#within(db));
  }

  async #giveBack(
    db: Db,
    queue: string,
    { id, priority }: JobWithMetadata<BossData>,
    data: BossData,
    runAt: number,
  ): Promise<void> {
    await this.#boss.deleteJob(queue, id, this.#within(db));
    await this.#send(db, queue, data, { priority, runAt });
  }

  async #send(
    db: Db,
    queue: string,
    data: BossData,
    { priority, runAt }: { priority: number; runAt: number | undefined },
  ): Promise<boolean> {
    const options: SendOptions = {
      id: jobId(queue, data.key),
      priority,
      // Attempts are counted in the data, since many of the times that a job is handed out are none.
      retryLimit: 0,
      expireInSeconds: EXPIRE_SECONDS,
      retentionSeconds: RETENTION_SECONDS,
      deleteAfterSeconds: DELETE_AFTER_SECONDS,
      ...(runAt === undefined ? {} : { startAfter: new Date(runAt) }),
      ...this.#within(db),
    };
    return (await this.#boss.send(queue, storable(data), options)) !== null;
  }
}

/** Escapes of what `jsonb` refuses: a NUL, and half a surrogate pair; a whole one is written as it is. */
const REFUSED = /\\u(?:0000|d[89a-f][\da-f]{2})/;

/** Callers choose texts of a payload: a job that was refused for one would be lost, and with it what it accounts for. */
function storable(data: BossData): StoredData {
  const json = JSON.stringify(data);
  return REFUSED.test(json) ? { json } : data;
}

function opened(stored: StoredData): BossData {
  return "json" in stored ? (JSON.parse(stored.json) as BossData) : stored;
}

/** One replica at a time: pg-boss's installation and its making of queues trip over each other otherwise. */
function inTurn(store: Db, work: () => Promise<unknown>): Promise<void> {
  return store.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(hashtext('portico prepares its queue'))`.execute(db);
    await work();
  });
}

function heldBy({ key, token }: Lease): Held {
  return { name: key, owner: token };
}

function errorIn(output: unknown): string | undefined {
  if (typeof output !== "object" || output === null || !("error" in output)) return undefined;
  return String(output.error);
}

/** pg-boss wants UUIDs: one made from the key, so that the same key is the same job on every replica (RFC 9562, version 8). */
function jobId(queue: string, key: string): string {
  const hex = createHash("sha256").update(`${queue}\n${key}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
