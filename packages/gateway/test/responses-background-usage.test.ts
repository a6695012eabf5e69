import { startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqliteStore } from "../src/platform/store/open-store.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { responsesConfig } from "./support/responses.ts";
import { until } from "./support/until.ts";

type Answer = { id: string; status: string; usage: { input_tokens: number; output_tokens: number } | null };
type SpendRow = { request_id: string; call_type: string; spend: number; completion_tokens: number };

function wildcard(url: string): string {
  const everything = `  - {model_name: "*", litellm_params: {model: "*", api_base: "${url}/openai/v1", api_key: simulated}}\n`;
  return `${everything}  - {model_name: any/*, litellm_params: {model: openai/*, api_base: "${url}/openai/v1", api_key: simulated}}\n`;
}

const key = "sk-tenant-one-0123456789";
let simulator: Awaited<ReturnType<typeof startSimulator>>;
let gateway: TestGateway;

beforeAll(async () => {
  simulator = await startSimulator({ port: 0 });
  gateway = await startTestGateway({ config: configOf(responsesConfig(simulator.url)) });
});

function configOf(models: string): string {
  const all = models.replace("model_list:\n", `model_list:\n${wildcard(simulator.url)}`);
  const budgets = "provider_budget_config: {openai: {budget_limit: 100, time_period: 365d}}";
  return `${all.replace("router_settings: {", `router_settings: {${budgets}, `)}\nkeys:\n  - {key: ${key}, user_id: one, max_budget: 1}\n`;
}

afterAll(async () => {
  await gateway?.close();
  await simulator?.close();
});

async function simulatorSettings(settings: object): Promise<void> {
  await fetch(`${simulator.url}/_admin/settings`, { method: "POST", body: JSON.stringify(settings) });
}

async function begin(model = "gpt-4o"): Promise<Answer> {
  const body = { model, input: "[[sim:tokens 50]]", background: true };
  const response = await gateway.call("/v1/responses", { body, key });
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
}

async function ended(id: string): Promise<Answer> {
  let answer = { status: "queued" } as Answer;
  await expect
    .poll(async () => {
      answer = (await (await gateway.call(`/v1/responses/${id}`, { key })).json()) as Answer;
      return answer.status;
    })
    .toBe("completed");
  return answer;
}

async function spendRows(): Promise<SpendRow[]> {
  const page = await gateway.call("/spend/logs?user=one&limit=100");
  return ((await page.json()) as { data: SpendRow[] }).data;
}

async function accounted(id: string): Promise<SpendRow[]> {
  await expect.poll(async () => (await spendRows()).some((row) => row.request_id === id)).toBe(true);
  return (await spendRows()).filter((row) => row.request_id === id);
}

describe("A response that its provider makes in the background", () => {
  it("is accounted once, by what it used when it has ended", async () => {
    const { id, usage } = await begin();
    expect(usage ?? null).toBeNull();
    const answer = await ended(id);
    const rows = await accounted(id);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      call_type: "aresponses_background",
      completion_tokens: answer.usage!.output_tokens,
    });
    expect(rows[0]!.spend).toBeGreaterThan(0);
    const created = (await spendRows()).filter((row) => row.call_type === "aresponses");
    expect(created.map((row) => row.spend)).toEqual([0]);
  });

  it("has its model's price also where the deployment is a wildcard", async () => {
    const { id } = await begin("any/gpt-4o");
    await ended(id);
    expect((await accounted(id)).map((row) => row.spend > 0)).toEqual([true]);
  });

  it("is found and accounted where its deployment is one of any model", async () => {
    const { id } = await begin("openai/gpt-4o");
    await ended(id);
    const rows = await accounted(id);
    expect(rows.map((row) => row.spend > 0)).toEqual([true]);
    const budgets = (await (await gateway.call("/provider/budgets")).json()) as {
      providers: { openai: { spend: number } };
    };
    expect(budgets.providers.openai.spend).toBeGreaterThanOrEqual(rows[0]!.spend);
  });

  it("is accounted also where the configuration lacked its deployment for a while", async () => {
    await simulatorSettings({ responseRunningMs: 3000 });
    const { id } = await begin();
    const models = async (): Promise<string> => (await gateway.call("/v1/models", { key })).text();
    gateway.writeConfig(configOf("model_list:\n"));
    await expect.poll(models).not.toContain('"gpt-4o"');
    // It is looked at meanwhile, and its share of the budget is kept.
    const store = await openSqliteStore(gateway.dataDirectory);
    const job = store.db.selectFrom("jobs").select("run_at").where("key", "=", id);
    const { run_at: first } = await job.executeTakeFirstOrThrow();
    await until(async () => (await job.executeTakeFirstOrThrow()).run_at > first);
    await store.close();
    gateway.writeConfig(configOf(responsesConfig(simulator.url)));
    await expect.poll(models).toContain('"gpt-4o"');
    await simulatorSettings({ responseRunningMs: 0 });
    expect((await accounted(id)).map(({ completion_tokens: tokens }) => tokens)).toEqual([50]);
  });

  it("is accounted also when it is deleted as soon as it has ended", async () => {
    const { id } = await begin();
    await ended(id);
    expect((await gateway.call(`/v1/responses/${id}`, { method: "DELETE", key })).status).toBe(200);
    expect((await accounted(id)).map((row) => row.spend > 0)).toEqual([true]);
  });

  it.each(["deleted", "blocked"])("is cancelled and accounted when its key is %s", async (how) => {
    await simulatorSettings({ responseRunningMs: 600_000 });
    const made = await gateway.call("/key/generate", { body: { user_id: "one" } });
    const { key: short } = (await made.json()) as { key: string };
    const body = { model: "gpt-4o", input: "[[sim:tokens 50]]", background: true };
    const created = await gateway.call("/v1/responses", { body, key: short });
    const { id } = (await created.json()) as Answer;
    const path = how === "deleted" ? "/key/delete" : "/key/block";
    const named = how === "deleted" ? { keys: [short] } : { key: short };
    expect((await gateway.call(path, { body: named })).status).toBe(200);
    const [row] = await accounted(id);
    expect(row).toMatchObject({ call_type: "aresponses_background" });
    const cancelled = simulator.received().filter(({ path: asked }) => asked.endsWith("/cancel"));
    expect(cancelled.length).toBeGreaterThan(0);
  });

  it("is cancelled and accounted when it is deleted while its provider works on it", async () => {
    await simulatorSettings({ responseRunningMs: 600_000 });
    const { id } = await begin();
    expect((await gateway.call(`/v1/responses/${id}`, { method: "DELETE", key })).status).toBe(200);
    const asked = simulator
      .received()
      .map(({ method, path }) => `${method} ${path.replace(/resp_\w+/, "ID")}`);
    expect(asked.slice(-2)).toEqual([
      "POST /openai/v1/responses/ID/cancel",
      "DELETE /openai/v1/responses/ID",
    ]);
    expect(await accounted(id)).toHaveLength(1);
  });
});
