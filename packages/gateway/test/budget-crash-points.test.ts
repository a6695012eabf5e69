import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Simulator, startSimulator } from "portico-simulator";
import { describe, expect, it } from "vitest";
import { openSqliteStore } from "../src/platform/store/open-store.ts";
import { type ChildGateway, porticoProgram, spawnTestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

/**
 * What outlives its call keeps its share of the key's budget until its cost is known. Here the process ends after each of
 * the writes of its way, from the request to the row of the spend log, one after the other: in every such moment the store
 * has the share and the job that will end it, or neither, and after a start everything is billed once.
 */

/** US dollars of a token of an answer. */
const PRICE = 0.001;
const KEY = "sk-crash-0123456789";
const ANSWER = { max_tokens: 100 };
const WORDS = "[[sim:tokens 100]]";

/** Processes that are ended at the same moment, each in a place of its own. */
const AT_ONCE = 5;

/** Something that is accepted long before it is over. */
interface Kind {
  readonly name: string;
  /** Where the provider is asked to begin it. */
  readonly path: string;
  /** US dollars of one. */
  readonly cost: number;
  /** Done once, before anything is counted. @returns the body with which it is begun, and where */
  prepare(gateway: ChildGateway): Promise<{ readonly path: string; readonly body: object }>;
}

const batch = (name: string, model: string, url: string, path: string): Kind => ({
  name,
  path,
  cost: 2 * 100 * PRICE,
  prepare: async (gateway) => {
    const rows = ["1", "2"].map((custom_id) => {
      const body = { model, ...ANSWER, messages: [{ role: "user", content: WORDS }] };
      return JSON.stringify({ custom_id, method: "POST", url, body });
    });
    const form = new FormData();
    form.append("purpose", "batch");
    form.append("model", model);
    form.append("file", new File([rows.join("\n")], "rows.jsonl"));
    const headers = { authorization: `Bearer ${KEY}` };
    const file = await fetch(`${gateway.url}/v1/files`, { method: "POST", body: form, headers });
    const { id } = (await file.json()) as { id: string };
    const body = { input_file_id: id, endpoint: url, completion_window: "24h", model };
    return { path: "/v1/batches", body };
  },
});

const kinds: readonly Kind[] = [
  batch("a batch at a provider", "gpt", "/v1/chat/completions", "/openai/v1/batches"),
  batch("a translated batch", "claude", "/v1/messages", "/anthropic/v1/messages/batches"),
  {
    name: "a background response",
    path: "/openai/v1/responses",
    cost: 100 * PRICE,
    prepare: async () => ({
      path: "/v1/responses",
      body: { model: "gpt", input: WORDS, max_output_tokens: 100, background: true },
    }),
  },
];

/** A gateway's provider and what it keeps on disk. */
class Place implements AsyncDisposable {
  readonly simulator: Simulator;
  readonly #folder = mkdtempSync(join(tmpdir(), "portico-crash-points-"));
  readonly data = join(this.#folder, "data");
  readonly #end = join(this.#folder, "end");
  gateway: ChildGateway | undefined;

  private constructor(simulator: Simulator) {
    this.simulator = simulator;
  }

  static async open(): Promise<Place> {
    return new Place(await startSimulator());
  }

  /** @param isEnding whether it can be ended after a write */
  async start(isEnding: boolean): Promise<ChildGateway> {
    const { url } = this.simulator;
    const priced = `api_key: simulated, input_cost_per_token: 0, output_cost_per_token: ${PRICE}, output_cost_per_token_batches: ${PRICE}`;
    const hook = `--import=${resolve(import.meta.dirname, "support/end-after-write.ts")}`;
    this.gateway = await spawnTestGateway({
      dataDirectory: this.data,
      ...(isEnding && {
        environment: { END_AFTER_WRITE: this.#end },
        program: [hook, ...(await porticoProgram())],
      }),
      config: `model_list:
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, api_base: "${url}/openai/v1", ${priced}}}
  - {model_name: claude, litellm_params: {model: anthropic/claude-sonnet-4-5, api_base: "${url}/anthropic", ${priced}}}
router_settings: {num_retries: 0, disable_cooldowns: true}
keys:
  - {key: ${KEY}, user_id: one, max_budget: 1000}
`,
    });
    return this.gateway;
  }

  /** From now on the process ends with so many more writes. */
  endAfter(writes: number): void {
    writeFileSync(this.#end, String(writes));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.gateway?.close();
    await this.simulator.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const CALL_TYPES = ["abatch_cost", "aresponses_background"];

/** What the store knows: shares that are kept, jobs that will end one, and rows that have ended one. */
async function lookInto(data: string) {
  const { db, close } = await openSqliteStore(data);
  try {
    const kept = await db
      .selectFrom("budget_holds")
      .select("request_id")
      .where("request_id", "is not", null)
      .execute();
    const jobs = await db
      .selectFrom("jobs")
      .select(["queue", "key", "payload"])
      .where("queue", "in", ["batch-control", "response-usage"])
      .where("state", "in", ["waiting", "running"])
      .execute();
    const spent = await db
      .selectFrom("spend_logs")
      .select("request_id")
      .where("call_type", "in", CALL_TYPES)
      .execute();
    const made = await db.selectFrom("batch_submissions").select(["token", "state"]).execute();
    const over = await db
      .selectFrom("batches")
      .select("id")
      .where("status", "in", ["completed", "failed"])
      .execute();
    return { kept, jobs, spent, made, over };
  } finally {
    await close();
  }
}

/** Shares without a job, and jobs without a share. */
function strays({ kept, jobs, spent, made, over }: Awaited<ReturnType<typeof lookInto>>): string[] {
  const ended = new Set(spent.map(({ request_id }) => request_id));
  for (const { id } of over) ended.add(id);
  const open = new Set(made.filter(({ state }) => state !== "made").map(({ token }) => token));
  const owing = jobs.flatMap(({ queue, payload, key }) => {
    if (queue === "response-usage") return key;
    const { kind, batch, token } = JSON.parse(payload) as Record<"kind" | "batch" | "token", string>;
    if (kind === "adopt") return open.has(token) ? token : [];
    return ["prepare", "remote", "finish", "watch"].includes(kind) ? batch : [];
  });
  const held = new Set(kept.map(({ request_id }) => request_id!));
  return [
    ...[...held]
      .filter((id) => !owing.includes(id) && !ended.has(id))
      .map((id) => `share without a job: ${id}`),
    ...owing.filter((id) => !held.has(id) && !ended.has(id)).map((id) => `job without a share: ${id}`),
  ];
}

/** Has one begun and the process ended after so many writes. @returns whether it ended before all was over */
async function endAfter(writes: number, kind: Kind): Promise<boolean> {
  await using place = await Place.open();
  const gateway = await place.start(true);
  const { path, body } = await kind.prepare(gateway);
  place.endAfter(writes);
  const answered = await gateway.call(path, { body, key: KEY }).then(
    (answer) => answer.status,
    () => undefined,
  );
  if (answered !== undefined) expect(answered).toBe(200);
  const ended = gateway.exited.then(() => true);
  const isOver = answered && until(() => isBilled(place)).then(() => false);
  const isEnded = await (isOver ? Promise.race([ended, isOver]) : ended);
  await gateway.close();
  expect(strays(await lookInto(place.data)), `after ${writes} writes`).toEqual([]);
  if (!isEnded) return false;
  const next = await place.start(false);
  await until(() => isBilled(place));
  const answer = await next.call("/spend/logs?limit=500");
  const { data } = (await answer.json()) as { data: { spend: number }[] };
  const spent = data.reduce((sum, { spend }) => sum + spend, 0);
  expect(spent, `billed after ${writes} writes`).toBeCloseTo(kind.cost * begun(place, kind), 9);
  return true;

  /** Whether nothing is held any more, and each that was begun has its row. */
  async function isBilled({ data }: Place): Promise<boolean> {
    const { kept, spent: rows } = await lookInto(data);
    return kept.length === 0 && rows.length === begun(place, kind);
  }
}

/** How many the provider was asked to begin. */
function begun({ simulator }: Place, kind: Kind): number {
  return simulator.received().filter(({ method, path }) => method === "POST" && path === kind.path).length;
}

describe("A process that ends after any of its writes leaves each share of a budget with its job", () => {
  it.each(kinds)("of $name", { timeout: 900_000 }, async (kind) => {
    const ended: boolean[] = [];
    do {
      const next = Array.from({ length: AT_ONCE }, (_, index) => ended.length + index + 1);
      ended.push(...(await Promise.all(next.map((number) => endAfter(number, kind)))));
    } while (ended.every(Boolean));
    // Beginning, its job's start and its row at the least; how many writes share a transaction differs.
    expect(ended.filter(Boolean).length).toBeGreaterThanOrEqual(3);
  });
});
