import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { hasPostgres } from "./support/services.ts";
import { openDatabases, type TestDatabases } from "./support/shared-postgres.ts";
import { startProvider, type TokenProvider } from "./support/token-provider.ts";

/** US dollars of each call: 100 tokens. */
const CALL = 0.001;

type Answer = Record<string, unknown> & { readonly status: number };

describe.each(["SQLite", "PostgreSQL"])("Limits of keys and levels for some models on %s", (kind) => {
  const skip = kind === "PostgreSQL" && !hasPostgres;
  let provider: TokenProvider;
  let postgres: TestDatabases | undefined;
  let gateway: TestGateway;
  beforeAll(async () => {
    if (skip) return;
    provider = await startProvider();
    postgres = kind === "PostgreSQL" ? await openDatabases() : undefined;
    const environment = postgres === undefined ? {} : { DATABASE_URL: await postgres.createDatabase() };
    const price = "input_cost_per_token: 0.00001, output_cost_per_token: 0.00001";
    const model = (name: string, id: string, base = provider.url) =>
      `  - {model_name: ${name}, model_info: {id: ${id}}, litellm_params: {model: openai/x, api_base: "${base}", api_key: x, ${price}}}`;
    gateway = await startTestGateway({
      config: `model_list:
${model("dear", "dear-1")}
${model("cheap", "cheap-1")}
${model("broken", "broken-1", "http://127.0.0.1:9/v1")}
  - {model_name: unpriced, litellm_params: {model: openai/x, api_base: "${provider.url}", api_key: x}}
router_settings: {num_retries: 0, model_group_alias: {other-name: dear}}
`,
      environment,
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await postgres?.stop();
    provider?.close();
  });

  async function ask(path: string, body: object): Promise<Answer> {
    const answer = await gateway.call(path, { body });
    return { ...((await answer.json()) as object), status: answer.status };
  }

  async function call(key: string, model: string, more: object = {}): Promise<Answer> {
    const body = { model, max_tokens: 100, messages: [{ role: "user", content: "x" }], ...more };
    const answer = await gateway.call("/v1/chat/completions", { key, body });
    return { ...((await answer.json()) as object), status: answer.status };
  }

  const messageOf = (answer: Answer): string => String((answer.error as { message?: string })?.message);

  it
    .skipIf(skip)
    .each([
      { max_budget: 4 * CALL },
      { budget_limit: 4 * CALL, time_period: "365d" },
      { budget_limit: String(4 * CALL), budget_duration: "365d" },
    ])("a budget for a model ends by whatever name it is called: %j", async (budget) => {
    const key = await gateway.newKey({ model_max_budget: { dear: budget } });
    const names = ["dear", "other-name", "dear-1", "dear"];
    const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => call(key, names[at % 4]!)));
    const passed = answers.filter(({ status }) => status === 200).length;
    expect(passed).toBeGreaterThanOrEqual(4);
    expect(passed).toBeLessThanOrEqual(5);
    for (const name of names) {
      const refused = await call(key, name);
      expect(refused).toMatchObject({ status: 402 });
      expect(messageOf(refused)).toContain("The budget of this api key for dear is exhausted");
    }
    expect(await call(key, "broken", { fallbacks: ["dear"] })).toMatchObject({ status: 402 });
    expect(await call(key, "cheap")).toMatchObject({ status: 200 });
  });

  it.skipIf(skip)("need a price where they are budgets, and none where they limit a minute", async () => {
    const limits = { model_rpm_limit: { unpriced: 1 }, model_tpm_limit: { unpriced: 100_000 } };
    const key = await gateway.newKey(limits);
    expect(await call(key, "unpriced")).toMatchObject({ status: 200 });
    expect(await call(key, "unpriced")).toMatchObject({ status: 429 });
    const budget = await gateway.newKey({ ...limits, model_max_budget: { unpriced: { max_budget: 1 } } });
    expect(await call(budget, "unpriced")).toMatchObject({ status: 402 });
  });

  it.skipIf(skip)("a key that is renewed keeps what it has spent on each model", async () => {
    const key = await gateway.newKey({ model_max_budget: { dear: { max_budget: 2 * CALL } } });
    for (let index = 0; index < 2; index += 1) expect(await call(key, "dear")).toMatchObject({ status: 200 });
    expect(await call(key, "dear")).toMatchObject({ status: 402 });
    const renewed = (await gateway.must("/key/regenerate", { key })).key as string;
    expect(await call(renewed, "dear")).toMatchObject({ status: 402 });
  });

  it.skipIf(skip)("teams, members and users have them too, and requests and tokens by model", async () => {
    const limits = { model_max_budget: { "de*": { max_budget: CALL } } };
    await gateway.must("/team/new", { team_id: "t-dear", ...limits });
    await gateway.must("/user/new", { user_id: "u-dear", auto_create_key: false, ...limits });
    await gateway.must("/team/new", { team_id: "t-members" });
    const member = { user_id: "u-member", role: "user" };
    await gateway.must("/team/member_add", { team_id: "t-members", member, ...limits });
    for (const fields of [
      { team_id: "t-dear" },
      { user_id: "u-dear" },
      { team_id: "t-members", user_id: "u-member" },
    ]) {
      const key = await gateway.newKey(fields);
      expect(await call(key, "dear")).toMatchObject({ status: 200 });
      expect(await call(await gateway.newKey(fields), "dear")).toMatchObject({ status: 402 });
      expect(await call(key, "cheap")).toMatchObject({ status: 200 });
    }
    for (const fields of [
      { model_rpm_limit: { dear: 1 } },
      { model_tpm_limit: { dear: 100 } },
      { model_max_budget: { dear: { rpm_limit: 1 } } },
    ]) {
      const key = await gateway.newKey(fields);
      expect(await call(key, "dear")).toMatchObject({ status: 200 });
      expect(await call(key, "dear")).toMatchObject({ status: 429 });
      expect(await call(key, "cheap")).toMatchObject({ status: 200 });
    }
  });

  it.skipIf(skip)("an increase holds until its time, at keys and above them", async () => {
    const increase = (temp_budget_expiry: string) => ({ temp_budget_increase: 2 * CALL, temp_budget_expiry });
    await gateway.must("/team/new", { team_id: "t-more", max_budget: CALL, ...increase("2999-01-01") });
    await gateway.must("/team/new", {
      team_id: "t-over",
      max_budget: CALL,
      ...increase("2020-01-01T00:00:00Z"),
    });
    for (const [fields, room] of [
      [{ max_budget: CALL, ...increase("2999-01-01") }, 3],
      [{ max_budget: CALL, ...increase("2020-01-01") }, 1],
      [{ team_id: "t-more" }, 3],
      [{ team_id: "t-over" }, 1],
    ] as const) {
      const key = await gateway.newKey(fields);
      for (let index = 0; index < room; index += 1)
        expect(await call(key, "dear"), JSON.stringify(fields)).toMatchObject({ status: 200 });
      expect(await call(key, "dear"), JSON.stringify(fields)).toMatchObject({ status: 402 });
    }
  });

  it.skipIf(skip)("odd limits are refused", async () => {
    const odd = [
      { model_max_budget: { dear: { max_budget: -1 } } },
      { model_max_budget: { dear: { max_budget: "NaN" } } },
      { model_max_budget: { dear: { max_budget: 1e300 } } },
      { model_max_budget: { dear: { max: 1 } } },
      { model_max_budget: { dear: 5 } },
      { model_max_budget: { ["x".repeat(257)]: { max_budget: 1 } } },
      { model_max_budget: { "a\u0000": { max_budget: 1 } } },
      { model_max_budget: { "\ud800": { max_budget: 1 } } },
      { model_max_budget: { "": { max_budget: 1 } } },
      { model_rpm_limit: { dear: -1 } },
      { model_rpm_limit: [1] },
      { temp_budget_increase: 1 },
      { temp_budget_increase: -1, temp_budget_expiry: "2999-01-01" },
      { temp_budget_increase: 1, temp_budget_expiry: "soon" },
    ];
    for (const fields of odd)
      for (const path of ["/key/generate", "/team/new", "/user/new"])
        expect(await ask(path, fields), `${path} ${JSON.stringify(fields)}`).toMatchObject({ status: 400 });
  });
});
