import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestGateway } from "./support/gateway.ts";
import { PRICE, type Replicas, startReplicas } from "./support/replicas.ts";
import { hasPostgres } from "./support/services.ts";
import { until } from "./support/until.ts";

/** US dollars of each call: 100 tokens. */
const CALL = 0.001;
const FILE_KEY = "sk-of-the-configuration";

describe.each([
  ["SQLite", 1],
  ["three replicas on PostgreSQL", 3],
])("The budget of the whole gateway, on %s", (_, count) => {
  const skip = count > 1 && !hasPostgres;
  let started: Replicas;
  let replicas: readonly TestGateway[] = [];
  const configOf = (budget: string, providerUrl = started.providerUrl): string => {
    return `model_list:
  - {model_name: m, litellm_params: {model: openai/m, api_base: "${providerUrl}", api_key: x, ${PRICE}}}
general_settings: {master_key: sk-test-master-key-0123456789}
litellm_settings: {${budget}}
keys:
  - {key: ${FILE_KEY}}
`;
  };
  beforeAll(async () => {
    if (skip) return;
    started = await startReplicas(count, (url) => configOf("max_budget: 0.01", url));
    replicas = started.all;
  });
  afterAll(() => started?.close());

  async function call(key: string, at = 0) {
    const body = { model: "m", max_tokens: 100, messages: [{ role: "user", content: "x" }] };
    const answer = await replicas[at % count]!.call("/v1/chat/completions", { key, body });
    const content = (await answer.json()) as { error?: { message: string } };
    return { status: answer.status, message: content.error?.message ?? "" };
  }

  const callers = async (): Promise<string[]> => {
    const keyOf = async (body: object) => {
      const made = await replicas[0]!.call("/key/generate", { body });
      return ((await made.json()) as { key: string }).key;
    };
    await replicas[0]!.call("/team/new", { body: { team_id: "t", max_budget: 100 } });
    return [
      replicas[0]!.masterKey,
      FILE_KEY,
      await keyOf({}),
      await keyOf({ max_budget: 100 }),
      await keyOf({ team_id: "t" }),
    ];
  };

  it.skipIf(skip)("is spent by the calls of everybody, and passed by one call at most", async () => {
    const keys = await callers();
    const storm = (calls: number) =>
      Promise.all(Array.from({ length: calls }, (_, index) => call(keys[index % keys.length]!, index)));
    const answers = await storm(40);
    const passed = answers.filter(({ status }) => status === 200).length;
    expect(answers.filter(({ status }) => status !== 200 && status !== 402)).toEqual([]);
    expect(passed).toBeGreaterThanOrEqual(10);
    expect(passed).toBeLessThanOrEqual(11);
    for (const key of keys) {
      const { status, message } = await call(key);
      expect([status, message]).toEqual([
        402,
        expect.stringContaining("The budget of the gateway is exhausted"),
      ]);
    }
    const shown = async (): Promise<unknown> => (await replicas[0]!.call("/global/spend")).json();
    await until(async () => {
      const { spend, max_budget } = (await shown()) as { spend: number; max_budget: number };
      return max_budget === 0.01 && Math.abs(spend - passed * CALL) < 1e-9;
    });
  });

  it.skipIf(skip)("is another one when the configuration says so, and none at 0", async () => {
    const isCallable = async (at: number) => (await call(FILE_KEY, at)).status === 200;
    for (const [budget, callable] of [
      ["max_budget: 1", true],
      ["max_budget: 0.001, budget_duration: 30d", false],
      ["max_budget: 0", true],
      ["max_budget: 0.001", false],
      ["", true],
    ] as const) {
      for (const replica of replicas) replica.writeConfig(configOf(budget));
      for (let at = 0; at < count; at += 1) await until(async () => (await isCallable(at)) === callable);
    }
  });

  it.skipIf(skip)("does not keep anybody from what costs nothing", async () => {
    for (const replica of replicas) replica.writeConfig(configOf("max_budget: 0.001"));
    await until(async () => (await call(FILE_KEY)).status === 402);
    expect((await replicas[0]!.call("/v1/models", { key: FILE_KEY })).status).toBe(200);
    expect((await replicas[0]!.call("/key/list")).status).toBe(200);
  });
});
