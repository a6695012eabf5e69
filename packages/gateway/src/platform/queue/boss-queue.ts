import { createHash } from "node:crypto";
import type PgBoss from "pg-boss";
import type { JsonObject } from "../../contract/json.ts";
import type { Logger } from "../log/logger.ts";
import {
  DEFAULT_LEASE_MS,
  DEFAULT_MAX_ATTEMPTS,
  type EnqueueOptions,
  type JobQueue,
  type JobState,
  type JobView,
  type Lease,
} from "./job-queue.ts";

/** What we keep in a pg-boss job's data. */
interface BossData {
  readonly key: string;
  readonly payload: JsonObject;
  readonly checkpoint?: JsonObject;
}

/** Milliseconds between two looks for leases that ran out; pg-boss's own maintenance comes by too rarely. */
const EXPIRY_INTERVAL = 1000;

const states: Readonly<Record<PgBoss.JobWithMetadata["state"], JobState>> = {
  created: "waiting",
  retry: "waiting",
  active: "running",
  completed: "finished",
  failed: "failed",
  cancelled: "cancelled",
};

/** A lease is named by the moment at which pg-boss handed the job out, exact to the microsecond. */
const TOKEN_OF = "to_char(started_on at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')";

/**
 * The queue on PostgreSQL: pg-boss keeps and hands out the jobs. It has no calls for renewing a lease, saving a
 * checkpoint under one, or giving a job back at a chosen time; these are single statements on its job table.
 */
export class BossQueue implements JobQueue {
  readonly #boss: PgBoss;
  readonly #known = new Map<string, Promise<void>>();
  #lastExpiry = 0;

  private constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  /** Connects, and installs or migrates pg-boss's own schema. */
  static async open(url: string, logger: Logger): Promise<BossQueue> {
    const { default: Boss } = await import("pg-boss");
    const boss = new Boss({
      connectionString: url,
      application_name: "portico queue",
      max: 4,
      schedule: false,
      archiveCompletedAfterSeconds: 24 * 3600,
      maintenanceIntervalSeconds: 60,
    });
    boss.on("error", (error) => logger.warn({ error: error.message }, "queue maintenance failed"));
    await boss.start();
    return new BossQueue(boss);
  }

  async enqueue(
    queue: string,
    key: string,
    payload: JsonObject,
    options: EnqueueOptions = {},
  ): Promise<boolean> {
    await this.#ready(queue);
    const id = jobId(queue, key);
    await this.#sql(
      "delete from pgboss.job where name = $1 and id = $2 and state in ('completed', 'cancelled', 'failed')",
      [queue, id],
    );
    const data: BossData = { key, payload };
    const added = await this.#boss.send(queue, data, {
      id,
      priority: options.priority ?? 0,
      retryLimit: (options.maxAttempts ?? DEFAULT_MAX_ATTEMPTS) - 1,
      retryDelay: 0,
      expireInSeconds: Math.ceil(DEFAULT_LEASE_MS / 1000),
      retentionDays: 3650,
      ...(options.runAt === undefined ? {} : { startAfter: new Date(options.runAt) }),
    });
    return added !== null;
  }

  async lease(queue: string, count: number, leaseMs: number = DEFAULT_LEASE_MS): Promise<Lease[]> {
    await this.#ready(queue);
    await this.#expire();
    const jobs = await this.#boss.fetch<BossData>(queue, { batchSize: count, includeMetadata: true });
    if (jobs.length === 0) return [];
    const rows = await this.#sql(
      `update pgboss.job set expire_in = $3 * interval '1 millisecond'
        where name = $1 and id = any($2::uuid[]) and state = 'active' returning id, ${TOKEN_OF} as token`,
      [queue, jobs.map((job) => job.id), leaseMs],
    );
    const tokens = new Map(rows.map((row) => [String(row.id), String(row.token)]));
    return jobs.map(({ id, data, retryCount }) => ({
      queue,
      key: data.key,
      payload: data.payload,
      checkpoint: data.checkpoint,
      attempt: retryCount + 1,
      token: tokens.get(id) ?? "",
    }));
  }

  /** The lease is counted from `started_on`, which names it and so must stay. */
  renew(lease: Lease, leaseMs: number = DEFAULT_LEASE_MS): Promise<boolean> {
    return this.#change(lease, "expire_in = now() - started_on + $4 * interval '1 millisecond'", leaseMs);
  }

  checkpoint(lease: Lease, value: JsonObject): Promise<boolean> {
    return this.#change(lease, "data = jsonb_set(data, '{checkpoint}', $4::jsonb)", JSON.stringify(value));
  }

  finish(lease: Lease): Promise<boolean> {
    return this.#change(lease, "state = 'completed', completed_on = now()");
  }

  fail(lease: Lease, error: string, runAt: number): Promise<boolean> {
    return this.#change(
      lease,
      `state = (case when retry_count >= retry_limit then 'failed' else 'retry' end)::pgboss.job_state,
       output = jsonb_build_object('error', $4::text), start_after = to_timestamp($5::double precision / 1000),
       completed_on = case when retry_count >= retry_limit then now() end`,
      error,
      runAt,
    );
  }

  /** pg-boss counts an attempt when it hands a started job out again, so the start is forgotten where none counted. */
  schedule(lease: Lease, runAt: number): Promise<boolean> {
    return this.#change(
      lease,
      `state = 'created', start_after = to_timestamp($4::double precision / 1000),
       retry_count = greatest(retry_count - 1, 0), started_on = case when retry_count > 0 then started_on end`,
      runAt,
    );
  }

  async cancel(queue: string, key: string): Promise<boolean> {
    const rows = await this.#sql(
      "update pgboss.job set state = 'cancelled', completed_on = now() where name = $1 and id = $2 and state < 'completed' returning id",
      [queue, jobId(queue, key)],
    );
    return rows.length > 0;
  }

  async find(queue: string, key: string): Promise<JobView | undefined> {
    await this.#ready(queue);
    const job = await this.#boss.getJobById<BossData>(queue, jobId(queue, key), { includeArchive: true });
    if (job === null) return undefined;
    const output: unknown = job.output;
    const error =
      typeof output === "object" && output !== null && "error" in output ? String(output.error) : undefined;
    return {
      state: states[job.state],
      payload: job.data.payload,
      checkpoint: job.data.checkpoint,
      attempt: job.retryCount + (job.startedOn === null ? 0 : 1),
      error,
    };
  }

  /** pg-boss does it itself. */
  async removeSettled(): Promise<number> {
    return 0;
  }

  close(): Promise<void> {
    return this.#boss.stop({ graceful: false, wait: true });
  }

  /** Queues are created on first use; every process may do it. */
  #ready(queue: string): Promise<void> {
    let ready = this.#known.get(queue);
    if (ready === undefined) {
      ready = this.#create(queue);
      ready.catch(() => this.#known.delete(queue));
      this.#known.set(queue, ready);
    }
    return ready;
  }

  /**
   * pg-boss makes a table for each queue. Two that are made at once lock each other out until PostgreSQL fails one of
   * them, so they are made one after another, over all replicas: `from` is evaluated first, and holds the lock.
   */
  async #create(queue: string): Promise<void> {
    await this.#sql(
      `select pgboss.create_queue($1, '{"policy": "standard"}') from pg_advisory_xact_lock(hashtext($2))`,
      [queue, "portico creates a queue"],
    );
  }

  async #expire(): Promise<void> {
    const now = performance.now();
    if (now - this.#lastExpiry < EXPIRY_INTERVAL) return;
    this.#lastExpiry = now;
    await this.#boss.expire();
  }

  async #change(lease: Lease, assignments: string, ...values: unknown[]): Promise<boolean> {
    const rows = await this.#sql(
      `update pgboss.job set ${assignments} where name = $1 and id = $2 and state = 'active' and ${TOKEN_OF} = $3 returning id`,
      [lease.queue, jobId(lease.queue, lease.key), lease.token, ...values],
    );
    return rows.length > 0;
  }

  async #sql(text: string, values: unknown[]): Promise<Record<string, unknown>[]> {
    return (await this.#boss.getDb().executeSql(text, values)).rows as Record<string, unknown>[];
  }
}

/** pg-boss wants UUIDs: one made from the key, so that the same key is the same job on every replica (RFC 9562, version 8). */
function jobId(queue: string, key: string): string {
  const hex = createHash("sha256").update(`${queue}\n${key}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
