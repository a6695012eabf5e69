import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SpendStore } from "../src/core/ledger/spend-store.ts";
import type { SpendRow } from "../src/core/ledger/spend-tables.ts";
import { type ChildGateway, spawnTestGateway } from "./support/gateway.ts";
import { describeOnEachStore } from "./support/stores.ts";
import { until } from "./support/until.ts";

/** US dollars of an answer of each model. */
const SLOW = 0.25;
const QUICK = 0.5;

/**
 * Seconds that callers wait for each model, enough for the quick one on a busy machine, and milliseconds after which a late
 * answer comes.
 */
const PATIENCE = "1.5";
const LATE = 4000;

const CHAT = "/v1/chat/completions";
const messages = [{ role: "user", content: "x" }];
const outcomesOf = (rows: readonly SpendRow[]) =>
  rows.map(({ status, model_id, spend }) => `${status} ${model_id} ${spend}`).sort();

describeOnEachStore("What a call cost of which one attempt was left", (opener) => {
  let folder = "";
  let gateway: ChildGateway;
  let upstream: Server;
  /** Requests to the slow model that nobody has answered yet. */
  const held: ServerResponse[] = [];
  /** The slow model answers, but long after its callers' time. */
  let isAnsweringLate = false;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "portico-spend-left-"));
    upstream = createServer((request, response) => {
      request.resume();
      if (isAnsweringLate) setTimeout(answer, LATE, response);
      else if (request.url!.startsWith("/slow")) held.push(response);
      else request.on("end", () => answer(response));
    }).listen(0, "127.0.0.1");
    await once(upstream, "listening");
    gateway = await start();
  });
  afterEach(async () => {
    await gateway.close();
    held.length = 0;
    isAnsweringLate = false;
    upstream.closeAllConnections();
    await new Promise((done) => upstream.close(done));
    rmSync(folder, { recursive: true, force: true });
  });

  function answer(response: ServerResponse): void {
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const choices = [{ index: 0, message: { role: "assistant", content: "y" }, finish_reason: "stop" }];
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({ id: "c", object: "chat.completion", created: 1, model: "m", choices, usage }),
    );
  }

  function start(): Promise<ChildGateway> {
    const { port } = upstream.address() as AddressInfo;
    const model = (name: string, dollars: number) =>
      `  - {model_name: ${name}, litellm_params: {model: openai/${name}, api_key: k, api_base: "http://127.0.0.1:${port}/${name}", input_cost_per_token: 0, output_cost_per_token: ${dollars}}, model_info: {id: ${name}, max_output_tokens: 2}}`;
    return spawnTestGateway({
      dataDirectory: opener.folder ?? folder,
      environment: opener.url === undefined ? {} : { DATABASE_URL: opener.url },
      config: `
model_list:
${model("slow", SLOW)}
${model("quick", QUICK)}
router_settings: {num_retries: 0, fallbacks: [{slow: [quick]}]}
`,
    });
  }

  const madeKey = async (max_budget: number): Promise<string> => {
    const made = await gateway.call("/key/generate", { body: { max_budget, budget_duration: "30d" } });
    return ((await made.json()) as { key: string }).key;
  };

  const callSlow = (key: string) =>
    gateway.call(CHAT, {
      key,
      body: { model: "slow", messages },
      headers: { "x-portico-timeout": PATIENCE },
    });

  /** The rows of the calls, once there are so many. */
  async function rowsOf(count: number): Promise<SpendRow[]> {
    const store = await opener.open();
    try {
      const spend = new SpendStore(store);
      return await until(
        async () => (await spend.page({}, 0, 100)).filter((row) => row.call_type === "acompletion"),
        (rows) => rows.length >= count,
      );
    } finally {
      await store.close();
    }
  }

  const spentBy = async (key: string): Promise<number> => {
    const info = await gateway.call(`/key/info?key=${key}`);
    return ((await info.json()) as { info: { spend: number } }).info.spend;
  };

  it("has the row of an answer that was sent in full, whatever becomes of the attempt and the process", async () => {
    const key = await madeKey(100);
    const answered = await callSlow(key);
    expect(answered.status).toBe(200);
    await answered.text();
    gateway.process.kill("SIGKILL");
    await gateway.close();
    expect(held).toHaveLength(1);
    gateway = await start();
    expect(outcomesOf(await rowsOf(1))).toEqual([`success quick ${QUICK}`]);
    expect(await spentBy(key)).toBe(QUICK);
  });

  it("has a row for the attempt when it ends, which is no further request", async () => {
    const key = await madeKey(100);
    const answered = await callSlow(key);
    await answered.text();
    expect(outcomesOf(await rowsOf(1))).toEqual([`success quick ${QUICK}`]);
    answer(held[0]!);
    const rows = await rowsOf(2);
    expect(outcomesOf(rows)).toEqual([`left slow ${SLOW}`, `success quick ${QUICK}`]);
    expect(new Set(rows.map((row) => row.request_id))).toEqual(
      new Set([answered.headers.get("x-portico-call-id")]),
    );
    expect(await spentBy(key)).toBe(QUICK + SLOW);
    const day = new Date().toISOString().slice(0, 10);
    const activity = await gateway.call(`/user/daily/activity?start_date=2020-01-01&end_date=${day}`);
    const { metadata } = (await activity.json()) as { metadata: object };
    expect(metadata).toMatchObject({
      total_api_requests: 1,
      total_successful_requests: 1,
      total_failed_requests: 0,
      total_spend: QUICK + SLOW,
    });
    // Nothing is held any more.
    const store = await opener.open();
    await until(
      () => store.db.selectFrom("budget_holds").selectAll().execute(),
      (holds) => holds.length === 0,
    );
    await store.close();
  });

  it("counts before another attempt begins, which the budget must have room for too", async () => {
    const key = await madeKey(SLOW);
    isAnsweringLate = true;
    // Why the first model did not answer, although the fallback's refusal for the budget came last.
    expect((await callSlow(key)).status).toBe(504);
    expect(outcomesOf(await rowsOf(2))).toEqual(["failure slow 0", `left slow ${SLOW}`]);
    expect(await spentBy(key)).toBe(SLOW);
  });
});
