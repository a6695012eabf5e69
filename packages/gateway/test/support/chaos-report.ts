import { setTimeout } from "node:timers/promises";
import type { Simulator } from "portico-simulator";
import type { Store } from "../../src/platform/store/schema.ts";
import { rowOf } from "./chaos-batch.ts";
import { senderOf } from "./chaos-fleet.ts";
import type { ChildGateway } from "./gateway.ts";
import type { Stalls } from "./stalls.ts";

/** Milliseconds after which a row's answer survives every kill; on PostgreSQL the target is 100, the rest is measuring. */
const DURABLE_WITHIN_MS = 250;

/** What came out of it. */
export interface ChaosReport {
  readonly status: string;
  readonly counts: { total: number; completed: number; failed: number };
  /** By `custom_id`, how often it stands in the output and error files. */
  readonly written: ReadonlyMap<string, number>;
  /** Rows whose checkpoint was there at a kill and that were sent again after it. */
  readonly sentAfterCheckpoint: readonly string[];
  /**
   * Rows whose answer had been there for `DURABLE_WITHIN_MS` when the process was killed that had sent them, and that
   * were sent again. What another process's kill took, or this one's earlier, is not counted twice.
   */
  readonly sentAfterAnswer: readonly string[];
  /** Answers that rows got beyond their first. */
  readonly answeredAgain: number;
  /** Calls whose row had no checkpoint at the next kill, over all kills. */
  readonly inFlight: number;
  /** Rows of the spend log for successful calls, by request. */
  readonly billed: ReadonlyMap<string, number>;
  readonly countsFell: boolean;
  readonly kills: number;
}

/** A kill while the batch ran: whom, when, and the rows that had a result then. */
export interface Kill {
  /** The process by its place in the fleet. */
  readonly victim: number;
  /** Milliseconds since the epoch, before the signal was sent. */
  readonly began: number;
  /** When the process was gone. */
  readonly at: number;
  readonly committed: ReadonlySet<string>;
}

/** A run that is over. */
export interface ChaosOutcome {
  readonly simulator: Simulator;
  readonly store: Store;
  readonly gateway: ChildGateway;
  readonly batchId: string;
  readonly kills: readonly Kill[];
  readonly inFlight: number;
  readonly countsFell: boolean;
  readonly stalls: Stalls;
}

/** Reads from the batch's files, the provider and the spend log how often each row was written, sent and billed. */
export async function reportOf({
  simulator,
  store,
  gateway,
  batchId,
  kills,
  inFlight,
  countsFell,
  stalls,
}: ChaosOutcome): Promise<ChaosReport> {
  const batch = (await (await gateway.call(`/v1/batches/${batchId}`)).json()) as Record<string, never>;
  const written = new Map<string, number>();
  for (const file of [batch.output_file_id, batch.error_file_id]) {
    if (file === null) continue;
    const text = await (await gateway.call(`/v1/files/${file}/content`)).text();
    for (const line of text.trim().split("\n")) {
      const { custom_id } = JSON.parse(line) as { custom_id: string };
      written.set(custom_id, (written.get(custom_id) ?? 0) + 1);
    }
  }
  const calls = simulator.received().flatMap((request) => {
    const row = rowOf(request.body);
    return row === undefined
      ? []
      : [
          {
            row,
            sender: senderOf(request.headers),
            at: request.time,
            status: request.aborted ? 0 : request.status,
            endedAt: request.endedAt,
          },
        ];
  });
  const answers = new Map<string, number>();
  for (const { row, status } of calls) if (status === 200) answers.set(row, (answers.get(row) ?? 0) + 1);
  const billed = await billedRows(store, written.size);
  return {
    status: String(batch.status),
    counts: batch.request_counts as unknown as ChaosReport["counts"],
    written,
    sentAfterCheckpoint: kills.flatMap(({ at, committed }) =>
      calls.filter((call) => call.at > at && committed.has(call.row)).map((call) => call.row),
    ),
    sentAfterAnswer: calls.flatMap((call) => {
      const before = durableFor(call, kills, calls, stalls);
      return before === undefined ? [] : [`${call.row}, answered ${Math.round(before)} ms before the kill`];
    }),
    answeredAgain: [...answers.values()].reduce((sum, count) => sum + count - 1, 0),
    inFlight,
    billed,
    countsFell,
    kills: kills.length,
  };
}

/** Milliseconds after which a row must be in the log: a killed process's journal is taken over within some seconds. */
const BILLED_WITHIN = 30_000;

/** How often each row is in the spend log, as soon as all of them are there, or else in the end. */
async function billedRows(store: Store, rows: number): Promise<Map<string, number>> {
  for (const end = Date.now() + BILLED_WITHIN; ; await setTimeout(200)) {
    const found = await store.db
      .selectFrom("spend_logs")
      .select(["request_id", (select) => select.fn.countAll<number>().as("times")])
      .where("call_type", "=", "abatch_row")
      .where("status", "=", "success")
      .groupBy("request_id")
      .execute();
    if (found.length >= rows || Date.now() > end)
      return new Map(found.map((row) => [row.request_id, Number(row.times)]));
  }
}

/** A call of a row. */
interface RowCall {
  readonly row: string;
  /** The process that sent it, by its place in the fleet. */
  readonly sender: number;
  /** Milliseconds since the epoch, as is `endedAt`. */
  readonly at: number;
  readonly status: number;
  readonly endedAt: number | undefined;
}

/**
 * Milliseconds that an answer had for becoming durable before its process was killed, if that was enough and the row was
 * asked for again all the same. Time in which the machine let nobody run does not count.
 */
function durableFor(
  call: RowCall,
  kills: readonly Kill[],
  calls: readonly RowCall[],
  stalls: Stalls,
): number | undefined {
  const { row, sender, status, endedAt } = call;
  if (status !== 200 || endedAt === undefined) return undefined;
  const kill = kills.find(({ victim, at }) => victim === sender && at > endedAt);
  const before = kill === undefined ? Number.POSITIVE_INFINITY : kill.began - endedAt;
  const stood = kill === undefined ? 0 : stalls.between(endedAt, kill.began);
  const isAsked = calls.some((other) => other.row === row && other.at > endedAt + DURABLE_WITHIN_MS);
  return isAsked && before - stood > DURABLE_WITHIN_MS ? before : undefined;
}
