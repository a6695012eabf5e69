import { setTimeout as sleep } from "node:timers/promises";
import { type Simulator, startSimulator } from "portico-simulator";
import { finalStatuses } from "../../src/features/batches/store.ts";
import type { Store } from "../../src/platform/store/schema.ts";
import { createChaosBatch, rowOf } from "./chaos-batch.ts";
import { ChaosFleet } from "./chaos-fleet.ts";
import { type ChaosReport, type Kill, reportOf } from "./chaos-report.ts";
import { Stalls } from "./stalls.ts";

/** How rough it gets. */
export interface ChaosOptions {
  readonly rows: number;
  readonly kills: number;
  /** Milliseconds that the provider takes for a row. */
  readonly latencyMs: number;
  /** Data directory of each process; with PostgreSQL there are two, which share nothing but the database. */
  readonly dataDirectories: readonly string[];
  readonly databaseUrl: string | undefined;
  /** Another connection to the gateways' store. */
  readonly openStore: () => Promise<Store>;
  /** Aborts when the test is given up. */
  readonly signal: AbortSignal;
}

/** Milliseconds without any change after which the batch counts as stuck, on the slowest of machines. */
const patience = 240_000;

/**
 * Runs a batch while its processes are killed at random moments and the provider fails now and then.
 * @throws Error that tells what happened when, if the batch comes to a standstill
 */
export async function runBatchChaos(options: ChaosOptions): Promise<ChaosReport> {
  const simulator = await startSimulator();
  const store = await options.openStore();
  const fleet = new ChaosFleet(options, simulator.url);
  try {
    await fleet.start();
    const batchId = await createChaosBatch(await fleet.any(), options);
    const chaos = new Chaos(options, simulator, store, fleet, batchId);
    await chaos.run();
    fleet.check();
    return await reportOf({ simulator, store, gateway: await fleet.any(), batchId, ...chaos });
  } finally {
    await fleet.kill();
    await store.close();
    await simulator.close();
  }
}

class Chaos {
  readonly kills: Kill[] = [];
  readonly stalls = new Stalls();
  /** Calls whose row had no checkpoint at the next kill. */
  inFlight = 0;
  countsFell = false;
  readonly #options: ChaosOptions;
  readonly #simulator: Simulator;
  readonly #store: Store;
  readonly #fleet: ChaosFleet;
  readonly #batchId: string;
  readonly #startedAt = performance.now();
  readonly #events: string[] = [];
  #changedAt = performance.now();
  #last = "";
  #highest = 0;
  #counted = 0;

  constructor(options: ChaosOptions, simulator: Simulator, store: Store, fleet: ChaosFleet, batchId: string) {
    this.#options = options;
    this.#simulator = simulator;
    this.#store = store;
    this.#fleet = fleet;
    this.#batchId = batchId;
  }

  async run(): Promise<void> {
    while (this.kills.length < this.#options.kills) {
      const before = this.#simulator.received().length;
      if (await this.#isOver(() => this.#simulator.received().length > before)) return;
      await sleep(Math.random() * this.#options.latencyMs);
      await this.#kill();
    }
    await this.#isOver(() => false);
    this.stalls.stop();
  }

  /** Kills one of the processes that run and starts it again, without waiting until it is ready. */
  async #kill(): Promise<void> {
    if (this.kills.length % 3 === 0)
      this.#simulator.setFault({ method: "POST", path: "/openai", fault: "status=500", times: 3 });
    const began = Date.now();
    const victim = await this.#fleet.killOne();
    const committed = await committedRows(this.#store, this.#batchId);
    this.#note(`process ${victim} killed, ${committed?.size ?? "all"} rows done`);
    if (committed === undefined) return;
    for (const { sequence, body } of this.#simulator.received()) {
      if (sequence <= this.#counted) continue;
      this.#counted = sequence;
      const row = rowOf(body);
      if (row !== undefined && !committed.has(row)) this.inFlight += 1;
    }
    this.kills.push({ victim, began, at: Date.now(), committed });
  }

  /** Waits until the batch is over (true) or something else has come about (false). */
  async #isOver(elseWhen: () => boolean): Promise<boolean> {
    for (;;) {
      this.#options.signal.throwIfAborted();
      if (await this.#look()) return true;
      if (elseWhen()) return false;
      this.#fleet.check();
      if (performance.now() - this.#changedAt > patience)
        throw new Error(`The batch stands still:\n${this.#events.join("\n")}\n${this.#fleet.log()}`);
      await sleep(100);
    }
  }

  async #look(): Promise<boolean> {
    const batch = await this.#store.db
      .selectFrom("batches")
      .selectAll()
      .where("id", "=", this.#batchId)
      .executeTakeFirstOrThrow();
    const done = batch.completed + batch.failed;
    if (done < this.#highest) this.countsFell = true;
    this.#highest = Math.max(this.#highest, done);
    this.#note(`${batch.status}, ${done} rows done, ${this.#simulator.received().length} calls`);
    return finalStatuses.includes(batch.status);
  }

  #note(event: string): void {
    if (event === this.#last) return;
    this.#last = event;
    this.#changedAt = performance.now();
    this.#events.push(`${((this.#changedAt - this.#startedAt) / 1000).toFixed(1)} s: ${event}`);
  }
}

/** The rows that have a result; `undefined` when the batch is over, which takes its rows away. */
async function committedRows(store: Store, batchId: string): Promise<ReadonlySet<string> | undefined> {
  const rows = await store.db
    .selectFrom("batch_rows")
    .select("custom_id")
    .where("batch_id", "=", batchId)
    .where("state", "!=", "waiting")
    .execute();
  const { status } = await store.db
    .selectFrom("batches")
    .select("status")
    .where("id", "=", batchId)
    .executeTakeFirstOrThrow();
  return ["validating", "in_progress"].includes(status)
    ? new Set(rows.map((row) => row.custom_id))
    : undefined;
}
