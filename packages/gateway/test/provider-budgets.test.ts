import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openPostgresStore, openSqliteStore } from "../src/platform/store/open-store.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { hasPostgres } from "./support/services.ts";
import { openDatabases, type TestDatabases } from "./support/shared-postgres.ts";
import { startProvider, type TokenProvider } from "./support/token-provider.ts";
import { until } from "./support/until.ts";

/** US dollars of each call: 100 tokens. */
const CALL = 0.001;
const MAX = 3;

interface Answered {
  readonly status: number;
  readonly message: string;
  readonly retryAfter: string | null;
  readonly deployment: string | null;
  readonly fallbacks: string | null;
}

describe.each([
  ["SQLite", 1],
  ["three replicas on PostgreSQL", 3],
  ["no store", 0],
])("Budgets of providers and deployments, on %s", (_, replicaCount) => {
  const skip = replicaCount > 1 && !hasPostgres;
  const count = Math.max(1, replicaCount);
  let provider: TokenProvider;
  let postgres: TestDatabases | undefined;
  let environment: Record<string, string> = {};
  const replicas: TestGateway[] = [];
  const prices = "input_cost_per_token: 0.00001, output_cost_per_token: 0.00001";
  const entry = (name: string, model: string, id: string, more = ""): string =>
    `  - {model_name: ${name}, model_info: {id: ${id}}, litellm_params: {model: ${model}, api_base: "${provider.url}", api_key: x, ${prices}${more}}}\n`;
  /** Each test has providers of its own, whose budgets no other one spends. */
  const config = (router: string, ...entries: readonly string[]): string =>
    `model_list:\n${entries.join("")}general_settings: {master_key: sk-test-master-key-0123456789}\nrouter_settings: {num_retries: 0, ${router}}\n`;

  beforeAll(async () => {
    if (skip) return;
    provider = await startProvider();
    postgres = replicaCount > 1 ? await openDatabases() : undefined;
  });
  afterEach(async () => {
    await Promise.all(replicas.splice(0).map((replica) => replica.close()));
  });
  afterAll(async () => {
    await postgres?.stop();
    provider?.close();
  });

  /** @param folder of the first one's data */
  async function start(text: string, folder?: string): Promise<void> {
    if (replicaCount === 0) environment = { DATABASE_URL: "none" };
    else if (postgres !== undefined) environment = { DATABASE_URL: await postgres.createDatabase() };
    for (let index = 0; index < count; index += 1)
      replicas.push(
        await startTestGateway({
          config: text,
          environment,
          ...(index === 0 && folder !== undefined ? { dataDirectory: folder } : {}),
        }),
      );
  }

  async function call(model: string, at = 0, fields: object = {}): Promise<Answered> {
    const body = { model, max_tokens: 100, messages: [{ role: "user", content: "x" }], ...fields };
    const answer = await replicas[at % replicas.length]!.call("/v1/chat/completions", { body });
    const text = await answer.text();
    const { headers, status } = answer;
    return {
      status,
      message: status === 200 ? text : (JSON.parse(text) as { error: { message: string } }).error.message,
      retryAfter: headers.get("retry-after"),
      deployment: headers.get("x-portico-model-id"),
      fallbacks: headers.get("x-portico-attempted-fallbacks"),
    };
  }

  /** Many calls at the same moment. */
  const calls = (model: string, number = 12, fields: object = {}): Promise<Answered[]> =>
    Promise.all(Array.from({ length: number }, (_, index) => call(model, index, fields)));
  const passed = (answers: readonly Answered[]): number =>
    answers.filter(({ status }) => status === 200).length;
  const at = (answers: readonly Answered[], id: string): number =>
    answers.filter(({ deployment, status }) => deployment === id && status === 200).length;

  const kinds = {
    "a provider's": [`provider_budget_config: {openai: {budget_limit: ${MAX * CALL}, time_period: 30d}}`, ""],
    "a provider's, written in capitals and for good": [
      `provider_budget_config: {OpenAI: {budget_limit: ${MAX * CALL}}}`,
      "",
    ],
    "its own": ["", `, max_budget: ${MAX * CALL}, budget_duration: 30d`],
  } as const;

  it.skipIf(skip).each(Object.keys(kinds))(
    "hold a deployment to %s budget, and then refuse",
    async (kind) => {
      const [router, own] = kinds[kind as keyof typeof kinds];
      await start(config(router, entry("m", "openai/m", "only", own)));
      const answers = await calls("m");
      expect(passed(answers)).toBeGreaterThanOrEqual(MAX);
      // A call for which less is left than it may cost passes alone.
      expect(passed(answers)).toBeLessThanOrEqual(MAX + 1);
      const refused = await call("m");
      expect(refused).toMatchObject({ status: 429 });
      expect(refused.message).toMatch(
        /^No deployments available for m: the budget of the (provider|deployment)/,
      );
      expect(refused.message).not.toContain("$");
      if (!kind.includes("good")) expect(Number(refused.retryAfter)).toBeGreaterThan(60);
    },
  );

  it.skipIf(skip)("lead calls to a deployment that has some left, and streams as well", async () => {
    const router = `provider_budget_config: {openai: {budget_limit: ${MAX * CALL}, time_period: 30d}}`;
    await start(
      config(
        router,
        entry("m", "openai/m", "spent", ", order: 1"),
        entry("m", "groq/m", "left", ", order: 2"),
      ),
    );
    const answers = [
      ...(await calls("m")),
      ...(await calls("m", 6, { stream: true })),
      ...(await calls("m")),
    ];
    expect(passed(answers)).toBe(30);
    expect(at(answers, "spent")).toBeLessThanOrEqual(MAX + 1);
    expect(at(answers, "left")).toBeGreaterThanOrEqual(30 - MAX - 1);
    // The key's own health of the deployment is as before: it did not fail.
    expect(replicas[0]!.log()).not.toContain("cooldown");
  });

  it.skipIf(skip)("fall back as from a deployment in cooldown", async () => {
    const router = `fallbacks: [{m: [other]}], provider_budget_config: {openai: {budget_limit: ${CALL}, time_period: 30d}}`;
    await start(config(router, entry("m", "openai/m", "first"), entry("other", "groq/m", "second")));
    const answers = await calls("m", 6);
    expect(passed(answers)).toBe(6);
    expect(at(answers, "first")).toBeLessThanOrEqual(2);
    expect(await call("m")).toMatchObject({ status: 200, deployment: "second", fallbacks: "1" });
  });

  it.skipIf(skip)("count what one deployment costs for its provider's others", async () => {
    const router = `provider_budget_config: {openai: {budget_limit: ${MAX * CALL}, time_period: 30d}}`;
    await start(config(router, entry("a", "openai/a", "a"), entry("b", "openai/b", "b")));
    const answers = [...(await calls("a", 6)), ...(await calls("b", 6))];
    expect(passed(answers)).toBeGreaterThanOrEqual(MAX);
    expect(passed(answers)).toBeLessThanOrEqual(MAX + 1);
  });

  it.skipIf(skip)("begin anew with the next window", async () => {
    await start(config("", entry("m", "openai/m", "short", `, max_budget: ${CALL}, budget_duration: 3s`)));
    await until(async () => (await call("m")).status === 429);
    await until(async () => (await call("m")).status === 200);
  });

  it.skipIf(skip)("shut a deployment off by a budget of nothing", async () => {
    await start(config("provider_budget_config: {openai: {budget_limit: 0}}", entry("m", "openai/m", "off")));
    expect(await call("m")).toMatchObject({ status: 429, retryAfter: null });
  });

  it.skipIf(skip)("hold a deployment of every provider by the name that the caller gives", async () => {
    const router = `provider_budget_config: {openai: {budget_limit: ${MAX * CALL}, time_period: 30d}}`;
    await start(config(router, entry('"*"', '"*"', "every")));
    const answers = [...(await calls("openai/m")), ...(await calls("custom_openai/m"))];
    expect(passed(answers)).toBeLessThanOrEqual(MAX + 1);
    expect(passed(await calls("groq/m", 6))).toBe(6);
  });

  it.skipIf(skip)("refuse a model whose cost nobody can count", async () => {
    const unpriced = `  - {model_name: m, litellm_params: {model: openai/no-such-model, api_base: "${provider.url}", api_key: x}}\n`;
    await start(config("provider_budget_config: {openai: {budget_limit: 5}}", unpriced));
    const refused = await call("m");
    expect(refused).toMatchObject({ status: 402 });
    expect(refused.message).toContain(
      "The budget of the provider openai cannot be held: the model m has no price",
    );
  });

  if (replicaCount === 0) return;

  it.skipIf(skip)("survive their processes, and hold nothing once all calls have ended", async () => {
    const text = config(
      `provider_budget_config: {openai: {budget_limit: ${MAX * CALL}, time_period: 30d}}`,
      entry("m", "openai/m", "only", `, max_budget: ${2 * MAX * CALL}`),
    );
    const dataDirectory = mkdtempSync(join(tmpdir(), "portico-provider-budgets-"));
    await start(text, dataDirectory);
    expect(passed(await calls("m", 6))).toBeGreaterThanOrEqual(MAX);
    const shown = async () => {
      const answer = await replicas[0]!.call("/provider/budgets");
      return (await answer.json()) as { providers: { openai: { spend: number } } };
    };
    // The other replicas' rows are on their way.
    await until(async () => (await shown()).providers.openai.spend >= MAX * CALL - 1e-9);
    expect((await shown()).providers.openai).toMatchObject({
      budget_limit: MAX * CALL,
      time_period: "30d",
      budget_reset_at: expect.any(String),
    });
    const store =
      environment.DATABASE_URL === undefined
        ? await openSqliteStore(dataDirectory)
        : await openPostgresStore(environment.DATABASE_URL, pino({ level: "silent" }));
    await until(async () => (await store.db.selectFrom("budget_holds").selectAll().execute()).length === 0);
    await store.close();
    await Promise.all(replicas.splice(0).map((replica) => replica.close()));
    const again = await startTestGateway({ config: text, environment, dataDirectory });
    replicas.push(again);
    expect(await call("m")).toMatchObject({ status: 429 });
    await again.close();
    replicas.pop();
    rmSync(dataDirectory, { recursive: true });
  });
});
