import type { Simulator } from "portico-simulator";
import type { Store } from "../../src/platform/store/store.ts";
import { rowOf } from "./chaos-batch.ts";
import type { ChildGateway } from "./gateway.ts";

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
  /** Rows whose answer had been there for `DURABLE_WITHIN_MS` at a kill, and that were sent again after it. */
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

/** A kill while the batch ran: when, and the rows that had a result then. */
export interface Kill {
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
      : [{ row, at: request.time, status: request.aborted ? 0 : request.status, endedAt: request.endedAt }];
  });
  const answers = new Map<string, number>();
  for (const { row, status } of calls) if (status === 200) answers.set(row, (answers.get(row) ?? 0) + 1);
  const billed = await store.db
    .selectFrom("spend_logs")
    .select(["request_id", (select) => select.fn.countAll<number>().as("times")])
    .where("call_type", "=", "abatch_row")
    .where("status", "=", "success")
    .groupBy("request_id")
    .execute();
  return {
    status: String(batch.status),
    counts: batch.request_counts as unknown as ChaosReport["counts"],
    written,
    sentAfterCheckpoint: kills.flatMap(({ at, committed }) =>
      calls.filter((call) => call.at > at && committed.has(call.row)).map((call) => call.row),
    ),
    sentAfterAnswer: [
      ...new Set(
        kills.flatMap(({ began, at }) => {
          const answered = new Set(
            calls
              .filter(({ status, endedAt }) => status === 200 && endedAt! < began - DURABLE_WITHIN_MS)
              .map(({ row }) => row),
          );
          return calls.filter((call) => call.at > at && answered.has(call.row)).map((call) => call.row);
        }),
      ),
    ],
    answeredAgain: [...answers.values()].reduce((sum, count) => sum + count - 1, 0),
    inFlight,
    billed: new Map(billed.map((row) => [row.request_id, Number(row.times)])),
    countsFell,
    kills: kills.length,
  };
}
