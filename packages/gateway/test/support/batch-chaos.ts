import { setTimeout as sleep } from "node:timers/promises";
import { startSimulator } from "portico-simulator";
import type { Store } from "../../src/persistence/store.ts";
import { type ChildGateway, spawnTestGateway } from "./gateway.ts";

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
}

/** What came out of it. */
export interface ChaosReport {
  readonly status: string;
  readonly counts: { total: number; completed: number; failed: number };
  /** By `custom_id`, how often it stands in the output and error files. */
  readonly written: ReadonlyMap<string, number>;
  /** Rows whose checkpoint was there at a kill and that were sent again after it. */
  readonly sentAfterCheckpoint: readonly string[];
  /** Answers that rows got beyond their first. */
  readonly answeredAgain: number;
  /** Calls whose row had no checkpoint at the next kill, over all kills. */
  readonly inFlight: number;
  /** Rows of the spend log for successful calls, by request. */
  readonly billed: ReadonlyMap<string, number>;
  readonly countsFell: boolean;
  readonly kills: number;
}

interface Kill {
  readonly at: number;
  readonly committed: ReadonlySet<string>;
}

/** Runs a batch while its processes are killed at random moments and the provider fails now and then. */
export async function runBatchChaos(options: ChaosOptions): Promise<ChaosReport> {
  const simulator = await startSimulator();
  const store = await options.openStore();
  const gateways = await Promise.all(
    options.dataDirectories.map((folder) => spawn(options, folder, simulator.url)),
  );
  try {
    const batchId = await createBatch(gateways[0]!, options);
    const kills: Kill[] = [];
    let inFlight = 0;
    let counted = 0;
    let lowest = 0;
    let countsFell = false;
    const look = async (): Promise<boolean> => {
      const batch = await store.db
        .selectFrom("batches")
        .selectAll()
        .where("id", "=", batchId)
        .executeTakeFirst();
      const done = (batch?.completed ?? 0) + (batch?.failed ?? 0);
      if (done < lowest) countsFell = true;
      lowest = Math.max(lowest, done);
      return ["completed", "failed", "expired", "cancelled"].includes(batch?.status ?? "");
    };
    while (kills.length < options.kills && !(await look())) {
      const before = simulator.received().length;
      for (let waits = 0; waits < 100 && simulator.received().length === before; waits += 1) await sleep(100);
      await sleep(Math.random() * 700);
      if (kills.length % 3 === 0) simulator.setFault({ path: "/openai", fault: "status=500", times: 3 });
      const victim = Math.floor(Math.random() * gateways.length);
      gateways[victim]!.process.kill("SIGKILL");
      await gateways[victim]!.exited;
      const committed = await committedRows(store, batchId);
      if (committed !== undefined) {
        for (const { sequence, body } of simulator.received()) {
          if (sequence <= counted) continue;
          counted = sequence;
          const row = rowOf(body);
          if (row !== undefined && !committed.has(row)) inFlight += 1;
        }
        kills.push({ at: Date.now(), committed });
      }
      gateways[victim] = await spawn(options, options.dataDirectories[victim]!, simulator.url);
    }
    while (!(await look())) await sleep(250);
    return await report({ simulator, store, gateway: gateways[0]!, batchId, kills, inFlight, countsFell });
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.close()));
    await store.close();
    await simulator.close();
  }
}

function spawn(options: ChaosOptions, dataDirectory: string, simulatorUrl: string): Promise<ChildGateway> {
  return spawnTestGateway({
    dataDirectory,
    environment: options.databaseUrl === undefined ? {} : { DATABASE_URL: options.databaseUrl },
    config: `
model_list:
  - {model_name: gpt, model_info: {id: the-one}, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "${simulatorUrl}/openai/v1"}}
router_settings: {num_retries: 2, disable_cooldowns: true}
`,
  });
}

async function createBatch(gateway: ChildGateway, { rows, latencyMs }: ChaosOptions): Promise<string> {
  const lines = Array.from({ length: rows }, (_, index) =>
    JSON.stringify({
      custom_id: `row-${index}`,
      method: "POST",
      url: "/v1/chat/completions",
      body: {
        model: "gpt",
        messages: [{ role: "user", content: `row-${index} [[sim:latency ${latencyMs}]]` }],
      },
    }),
  );
  const form = new FormData();
  form.append("purpose", "batch");
  form.append("model", "gpt");
  form.append("file", new File([lines.join("\n")], "rows.jsonl"));
  const headers = { authorization: `Bearer ${gateway.masterKey}` };
  const uploaded = await fetch(`${gateway.url}/v1/files`, { method: "POST", body: form, headers });
  const { id } = (await uploaded.json()) as { id: string };
  const body = {
    input_file_id: id,
    endpoint: "/v1/chat/completions",
    completion_window: "24h",
    execution: "gateway",
  };
  const created = await gateway.call("/v1/batches", { body });
  return ((await created.json()) as { id: string }).id;
}

/** The rows that have a result; `undefined` when the batch is over, which takes its rows away. */
async function committedRows(store: Store, batchId: string): Promise<ReadonlySet<string> | undefined> {
  const rows = await store.db
    .selectFrom("batch_rows")
    .select("custom_id")
    .where("batch_id", "=", batchId)
    .where("state", "!=", "waiting")
    .execute();
  const batch = await store.db
    .selectFrom("batches")
    .select("status")
    .where("id", "=", batchId)
    .executeTakeFirst();
  const running = ["validating", "in_progress"].includes(batch?.status ?? "");
  return running ? new Set(rows.map((row) => row.custom_id)) : undefined;
}

function rowOf(body: unknown): string | undefined {
  return /row-\d+/.exec(JSON.stringify(body) ?? "")?.[0];
}

interface Outcome {
  readonly simulator: Awaited<ReturnType<typeof startSimulator>>;
  readonly store: Store;
  readonly gateway: ChildGateway;
  readonly batchId: string;
  readonly kills: readonly Kill[];
  readonly inFlight: number;
  readonly countsFell: boolean;
}

async function report({
  simulator,
  store,
  gateway,
  batchId,
  kills,
  inFlight,
  countsFell,
}: Outcome): Promise<ChaosReport> {
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
    return row === undefined ? [] : [{ row, at: request.time, status: request.status }];
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
    answeredAgain: [...answers.values()].reduce((sum, count) => sum + count - 1, 0),
    inFlight,
    billed: new Map(billed.map((row) => [row.request_id, Number(row.times)])),
    countsFell,
    kills: kills.length,
  };
}
