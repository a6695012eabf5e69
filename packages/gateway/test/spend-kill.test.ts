import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSimulator } from "portico-simulator";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { SpendStore } from "../src/core/ledger/spend-store.ts";
import type { SpendRow } from "../src/core/ledger/spend-tables.ts";
import { type ChildGateway, spawnTestGateway } from "./support/gateway.ts";
import { describeOnEachStore } from "./support/stores.ts";
import { until } from "./support/until.ts";

/** `npm run kill:spend -w portico` kills 20 times. */
const kills = Number(process.env.SPEND_KILLS ?? 2);
const CALLERS = 16;
/** Answers in full before each kill. */
const ANSWERS = 60;

/** A request, and the text in its answer after which nothing of it is missing. */
interface Kind {
  readonly path: string;
  readonly body: object;
  /** Absent for answers that are whole when their body is. */
  readonly last?: string;
}

const messages = [{ role: "user", content: "count me [[sim:tokens 8]]" }];
const kinds: readonly Kind[] = ["gpt", "claude"].flatMap((model) => [
  { path: "/v1/chat/completions", body: { model, messages } },
  { path: "/v1/chat/completions", body: { model, messages, stream: true }, last: "data: [DONE]\n\n" },
  { path: "/v1/messages", body: { model, messages, max_tokens: 100 } },
  {
    path: "/v1/messages",
    body: { model, messages, max_tokens: 100, stream: true },
    last: "event: message_stop",
  },
  {
    path: "/v1/responses",
    body: { model, input: "count me", store: false, stream: true },
    last: "event: response.completed",
  },
  { path: "/v1/responses", body: { model, input: "count me" } },
  {
    path: "/v1/responses",
    body: { model, input: "count me", stream: true },
    last: "event: response.completed",
  },
]);

let simulator: Awaited<ReturnType<typeof startSimulator>>;
beforeAll(async () => {
  simulator = await startSimulator({ port: 0 });
});
afterAll(() => simulator?.close());

describeOnEachStore("Spend rows of processes that are killed by SIGKILL", (opener) => {
  let folder = "";
  const running: ChildGateway[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "portico-spend-kill-"));
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((gateway) => gateway.close()));
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(): Promise<ChildGateway> {
    const gateway = await spawnTestGateway({
      // The embedded store's opener has the database in its own data directory.
      dataDirectory: dataDirectory(),
      environment: opener.url === undefined ? {} : { DATABASE_URL: opener.url },
      config: `
model_list:
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "${simulator.url}/openai/v1"}}
  - {model_name: claude, litellm_params: {model: anthropic/claude-sonnet-4-5, api_key: k, api_base: "${simulator.url}/anthropic"}}
`,
    });
    running.push(gateway);
    return gateway;
  }

  function dataDirectory(): string {
    return opener.folder ?? folder;
  }

  async function kill(gateway: ChildGateway): Promise<void> {
    gateway.process.kill("SIGKILL");
    await gateway.close();
    running.splice(running.indexOf(gateway), 1);
  }

  /** Calls again and again until the gateway is gone, and notes whose answers came in full. */
  async function call(gateway: ChildGateway, key: string, answered: string[], offset: number): Promise<void> {
    for (let turn = offset; ; turn += 1) {
      const { path, body, last } = kinds[turn % kinds.length]!;
      try {
        const response = await gateway.call(path, { key, body });
        const id = response.headers.get("x-portico-call-id")!;
        expect(response.status).toBe(200);
        let text = "";
        for await (const chunk of response.body!) {
          text += Buffer.from(chunk).toString("utf8");
          if (last !== undefined && text.includes(last)) break;
        }
        if (last === undefined || text.includes(last)) answered.push(id);
      } catch (error) {
        if (gateway.process.signalCode !== null || gateway.process.killed) return;
        throw error;
      }
    }
  }

  async function rowsOf(ids: readonly string[]): Promise<SpendRow[]> {
    const store = await opener.open();
    try {
      const spend = new SpendStore(store);
      const all = await until(
        () => spend.page({}, 0, 100_000),
        (rows) => new Set(rows.map((row) => row.request_id)).size >= ids.length && isComplete(rows, ids),
      );
      return all;
    } finally {
      await store.close();
    }
  }

  it("are there once for every answer that came in full, and the key's spend is their sum", async () => {
    const answered: string[] = [];
    let gateway = await start();
    const made = await gateway.call("/key/generate", { body: { budget_duration: "30d", max_budget: 1e6 } });
    const { key, token_id } = (await made.json()) as { key: string; token_id: string };
    for (let round = 0; round < kills; round += 1) {
      const before = answered.length;
      const callers = Array.from({ length: CALLERS }, (_, index) => call(gateway, key, answered, index));
      const failure = Promise.all(callers);
      await Promise.race([failure, until(() => answered.length - before >= ANSWERS)]);
      await kill(gateway);
      await failure;
      gateway = await start();
    }
    const sumOf = (rows: readonly SpendRow[]): number => rows.reduce((total, { spend }) => total + spend, 0);
    const spentByKey = async (): Promise<number> => {
      const info = (await gateway.call(`/key/info?key=${key}`)).json();
      return ((await info) as { info: { spend: number } }).info.spend;
    };
    // Rows of calls that were not answered in full may come behind those of the others.
    const { ofCalls, spent } = await until(
      async () => {
        const rows = (await rowsOf(answered)).filter((row) => row.key_hash === token_id);
        return { ofCalls: rows, spent: await spentByKey() };
      },
      (now) => Math.abs(sumOf(now.ofCalls) - now.spent) < 1e-9,
    );
    const ids = ofCalls.map((row) => row.request_id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(answered.filter((id) => !ids.includes(id))).toEqual([]);
    expect(ofCalls.filter((row) => row.status === "success").length).toBeGreaterThanOrEqual(answered.length);
    const store = await opener.open();
    const windows = await store.db.selectFrom("budget_windows").selectAll().execute();
    await store.close();
    expect(windows.reduce((total, { spend }) => total + spend, 0)).toBeCloseTo(spent, 9);
    await gateway.close();
    running.splice(0);
    expect(readdirSync(join(dataDirectory(), "spend-journal"))).toEqual([]);
  });

  it("are written by another process in the data directory, which leaves those of a living one alone", async () => {
    const answered: string[] = [];
    const isCalling = async (gateways: readonly ChildGateway[]): Promise<Promise<void>[]> => {
      const before = answered.length;
      const callers = gateways.map((gateway, index) => call(gateway, gateway.masterKey, answered, index));
      await until(() => answered.length - before >= 20);
      return callers;
    };
    const one = await start();
    // An SQLite database serves one gateway alone, so that the other one comes after the first.
    const beside = opener.url === undefined ? undefined : await start();
    const callers = await isCalling(beside === undefined ? [one] : [one, beside]);
    await kill(one);
    await callers[0];
    const other = beside ?? (await start());
    if (beside === undefined) callers.push(...(await isCalling([other])));
    const rows = await rowsOf(answered);
    const ids = rows.map((row) => row.request_id);
    expect(new Set(ids).size).toBe(ids.length);
    await until(() => readdirSync(join(dataDirectory(), "spend-journal")).length === 1);
    await kill(other);
    await callers[1];
  });
});

function isComplete(rows: readonly SpendRow[], ids: readonly string[]): boolean {
  const there = new Set(rows.map((row) => row.request_id));
  return ids.every((id) => there.has(id));
}
