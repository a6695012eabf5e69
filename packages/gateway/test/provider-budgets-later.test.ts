import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../src/contract/json.ts";
import { spawnTestGateway, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { startProvider } from "./support/token-provider.ts";
import { until } from "./support/until.ts";

/** What a provider works on after its request counts in the provider's budget, too. */
describe("The budget of a provider and what goes on after a request", () => {
  let simulator: Simulator;
  let gateway: TestGateway;
  beforeEach(async () => {
    simulator = await startSimulator();
  });
  afterEach(async () => {
    await gateway?.close();
    await simulator.close();
  });

  async function start(budget: number): Promise<void> {
    gateway = await startTestGateway({
      config: `model_list:
  - {model_name: m, model_info: {id: one}, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "${simulator.url}/openai/v1", input_cost_per_token: 0.00001, output_cost_per_token: 0.00001}}
general_settings: {master_key: sk-test-master-key-0123456789}
router_settings: {num_retries: 0, provider_budget_config: {openai: {budget_limit: ${budget}, time_period: 365d}}}
gateway_settings: {enable_loadbalancing_on_batch_endpoints: true}
`,
    });
  }

  async function spent(): Promise<number> {
    const answer = await gateway.call("/provider/budgets");
    const { providers } = (await answer.json()) as { providers: { openai: { spend: number } } };
    return providers.openai.spend;
  }

  async function ask(path: string, body?: object): Promise<{ status: number; body: JsonObject }> {
    const answer = await gateway.call(path, body === undefined ? {} : { body });
    return { status: answer.status, body: (await answer.json()) as JsonObject };
  }

  async function createBatch() {
    const row = (id: string) =>
      JSON.stringify({
        custom_id: id,
        method: "POST",
        url: "/v1/chat/completions",
        body: { model: "m", max_tokens: 50, messages: [{ role: "user", content: "hello" }] },
      });
    const form = new FormData();
    form.set("purpose", "batch");
    form.set("target_model_names", "m");
    form.set("file", new Blob([["a", "b", "c"].map(row).join("\n")]), "rows.jsonl");
    const file = await gateway.call("/v1/files", { body: form });
    const { id } = (await file.json()) as { id: string };
    return ask("/v1/batches", {
      input_file_id: id,
      endpoint: "/v1/chat/completions",
      completion_window: "24h",
      execution: "provider",
    });
  }

  it("refuses a batch that may cost more than is left, without saying how much that is", async () => {
    await start(0.0005);
    const { status, body } = await createBatch();
    expect(status).toBe(402);
    const { message } = body.error as { message: string };
    expect(message).toContain(", more than is left of the budget of the provider openai");
    expect(message).not.toContain("0.0005");
    expect(await spent()).toBe(0);
  });

  it("refuses one when all is spent, without saying how much that was", async () => {
    await start(0.00001);
    const messages = [{ role: "user", content: "hello" }];
    expect((await ask("/v1/chat/completions", { model: "m", messages })).status).toBe(200);
    await until(async () => (await spent()) > 0.00001);
    const { status, body } = await createBatch();
    expect(status).toBeGreaterThanOrEqual(402);
    expect(JSON.stringify(body.error)).toContain("the budget of the provider openai");
    expect(JSON.stringify(body.error)).not.toContain("$0.00001");
    expect(JSON.stringify(body.error)).not.toContain(String(await spent()));
  });

  it("counts a batch at its provider once it has ended", async () => {
    await start(5);
    const { status, body } = await createBatch();
    expect(status, JSON.stringify(body)).toBe(200);
    await until(async () => (await ask(`/v1/batches/${body.id}`)).body.status === "completed");
    await until(async () => (await spent()) > 0);
  });

  it("counts a background response once it has ended", async () => {
    await start(5);
    const { status, body } = await ask("/v1/responses", {
      model: "m",
      input: "hello",
      background: true,
      max_output_tokens: 50,
    });
    expect(status, JSON.stringify(body)).toBe(200);
    await until(async () => (await ask(`/v1/responses/${body.id}`)).body.status === "completed");
    await until(async () => (await spent()) > 0);
  });
});

it("holds a provider's budget over a process that is killed while it calls", async () => {
  const provider = await startProvider();
  const folder = mkdtempSync(join(tmpdir(), "portico-killed-budget-"));
  const budget = 10;
  const options = {
    config: `model_list:
  - {model_name: m, litellm_params: {model: openai/m, api_base: "${provider.url}", api_key: k, input_cost_per_token: 0.00001, output_cost_per_token: 0.00001}}
general_settings: {master_key: sk-test-master-key-0123456789}
router_settings: {provider_budget_config: {openai: {budget_limit: ${budget / 1000}, time_period: 365d}}}
`,
    dataDirectory: join(folder, "data"),
  };
  let passed = 0;
  const calls = (of: TestGateway, count: number) =>
    Promise.allSettled(
      Array.from({ length: count }, async () => {
        const body = { model: "m", max_tokens: 100, messages: [{ role: "user", content: "x" }] };
        const { status } = await of.call("/v1/chat/completions", { body });
        if (status === 200) passed += 1;
      }),
    );
  const first = await spawnTestGateway(options);
  await calls(first, 4);
  const cut = calls(first, 8);
  first.process.kill("SIGKILL");
  await Promise.all([cut, first.exited]);
  const second = await spawnTestGateway(options);
  for (let round = 0; round < 3; round += 1) await calls(second, 8);
  // A call for which less is left than it may cost passes alone.
  expect(passed).toBeGreaterThan(0);
  expect(passed).toBeLessThanOrEqual(budget + 1);
  await second.close();
  provider.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Without a deployment calls go to the provider by its own name, with the key in the environment. */
describe("The budget of a provider whose key stands in the environment", () => {
  it("holds batches and videos there, too", async () => {
    const simulator = await startSimulator();
    const gateway = await spawnTestGateway({
      config: `model_list: []
general_settings: {master_key: sk-test-master-key-0123456789}
router_settings: {provider_budget_config: {openai: {budget_limit: 0.0005, time_period: 365d}}}
`,
      environment: { OPENAI_API_KEY: "k", OPENAI_BASE_URL: `${simulator.url}/openai/v1` },
    });
    try {
      const batchOf = async (rows: number) => {
        const line = JSON.stringify({
          custom_id: "ID",
          method: "POST",
          url: "/v1/chat/completions",
          body: { model: "gpt-4o", max_tokens: 5, messages: [{ role: "user", content: "hello" }] },
        });
        const lines = Array.from({ length: rows }, (_, index) => line.replace("ID", String(index)));
        const form = new FormData();
        form.set("purpose", "batch");
        form.set("file", new Blob([lines.join("\n")]), "rows.jsonl");
        const file = await gateway.call("/v1/files?provider=openai", { body: form });
        const { id } = (await file.json()) as { id: string };
        const body = {
          input_file_id: id,
          endpoint: "/v1/chat/completions",
          completion_window: "24h",
          execution: "provider",
        };
        const answer = await gateway.call("/v1/batches", { body });
        return { status: answer.status, body: (await answer.json()) as JsonObject };
      };
      const spent = async (): Promise<number> => {
        const { providers } = (await (await gateway.call("/provider/budgets")).json()) as {
          providers: { openai: { spend: number } };
        };
        return providers.openai.spend;
      };
      expect((await batchOf(50)).status).toBe(402);
      const video = { model: "sora-2", prompt: "x", custom_llm_provider: "openai" };
      expect((await gateway.call("/v1/videos", { body: video })).status).toBe(402);
      const { status, body } = await batchOf(1);
      expect(status, JSON.stringify(body)).toBe(200);
      await until(
        async () =>
          ((await (await gateway.call(`/v1/batches/${body.id}`)).json()) as JsonObject).status ===
          "completed",
      );
      await until(async () => (await spent()) > 0);
    } finally {
      await gateway.close();
      await simulator.close();
    }
  });
});
