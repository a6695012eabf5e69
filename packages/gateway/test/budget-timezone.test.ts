import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { hasPostgres } from "./support/services.ts";
import { openDatabases, type TestDatabases } from "./support/shared-postgres.ts";
import { startProvider, type TokenProvider } from "./support/token-provider.ts";
import { until } from "./support/until.ts";

/** US dollars of each call: 100 tokens. */
const CALL = 0.001;

/** Around the day of New York that has 25 hours: a Sunday and the first of its month. */
const moments = {
  "a minute before midnight": "2026-11-01T03:59:00Z",
  midnight: "2026-11-01T04:00:00Z",
  "the last second of Sunday": "2026-11-02T04:59:59Z",
  Monday: "2026-11-02T05:00:00Z",
};

describe.each([["SQLite"], ["PostgreSQL"]])("Budgets in a time zone on %s", (kind) => {
  const skip = kind === "PostgreSQL" && !hasPostgres;
  let provider: TokenProvider;
  let postgres: TestDatabases | undefined;
  let environment = {};
  let folder = "";
  let gateway: TestGateway;
  beforeAll(async () => {
    provider = await startProvider();
    if (!skip && kind === "PostgreSQL") postgres = await openDatabases();
  });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "portico-timezone-"));
    if (postgres !== undefined) environment = { DATABASE_URL: await postgres.createDatabase() };
    vi.useFakeTimers({ toFake: ["Date"] });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await gateway?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  afterAll(async () => {
    await postgres?.stop();
    provider.close();
  });

  async function start(timezone = "timezone: US/Eastern, "): Promise<void> {
    const price = "input_cost_per_token: 0.00001, output_cost_per_token: 0.00001";
    const config = `model_list:
  - {model_name: m, litellm_params: {model: openai/m, api_base: "${provider.url}", api_key: x, ${price}}}
litellm_settings: {${timezone}callbacks: [prometheus]}
general_settings: {master_key: sk-test-master-key-0123456789, alerting: [webhook]}
`;
    gateway = await startTestGateway({ config, environment, dataDirectory: folder });
  }

  /** Calls until one is refused. @returns how many were answered, and when the budget is said to begin anew */
  async function spendAll(key: string): Promise<string> {
    for (let answered = 0; ; answered += 1) {
      const body = { model: "m", max_tokens: 50, messages: [{ role: "user", content: "x" }] };
      const answer = await gateway.call("/v1/chat/completions", { key, body });
      const text = await answer.text();
      if (answer.status === 200) continue;
      expect(answer.status, text).toBe(402);
      return `${answered}, resets at ${/resets at ([^"]*):00.000Z/.exec(text)?.[1]}`;
    }
  }

  const at = (moment: keyof typeof moments): void => void vi.setSystemTime(moments[moment]);

  it.skipIf(skip)("begins days, weeks and months anew at local midnight, also after a restart", async () => {
    at("a minute before midnight");
    await start();
    const budget = { max_budget: CALL };
    const team = await gateway.must("/team/new", { ...budget, budget_duration: "1d" });
    const keys = {
      day: await gateway.newKey({ ...budget, budget_duration: "1d" }),
      hours: await gateway.newKey({ ...budget, budget_duration: "24h" }),
      team: await gateway.newKey({ team_id: team.team_id }),
      model: await gateway.newKey({ model_max_budget: { m: { budget_limit: CALL, time_period: "1d" } } }),
      week: await gateway.newKey({ ...budget, budget_duration: "7d" }),
      month: await gateway.newKey({ ...budget, budget_duration: "30d" }),
    };
    const spent = async () =>
      Object.fromEntries(
        await Promise.all(Object.entries(keys).map(async ([name, key]) => [name, await spendAll(key)])),
      ) as Record<keyof typeof keys, string>;
    const days = (text: string) => ({ day: text, hours: text, team: text, model: text });

    const first = "resets at 2026-11-01T04:00";
    const monday = "resets at 2026-11-02T05:00";
    expect(await spent()).toEqual({ ...days(`1, ${first}`), week: `1, ${monday}`, month: `1, ${first}` });
    await gateway.close();
    await start();
    expect(await spent()).toEqual({ ...days(`0, ${first}`), week: `0, ${monday}`, month: `0, ${first}` });

    at("midnight");
    const december = "resets at 2026-12-01T05:00";
    expect(await spent()).toEqual({ ...days(`1, ${monday}`), week: `0, ${monday}`, month: `1, ${december}` });
    const metrics = await (await gateway.call("/metrics")).text();
    expect(metrics).toMatch(/^litellm_team_budget_remaining_hours_metric\{.* 25$/m);

    at("the last second of Sunday");
    expect(await spent()).toEqual({ ...days(`0, ${monday}`), week: `0, ${monday}`, month: `0, ${december}` });

    at("Monday");
    const tuesday = "resets at 2026-11-03T05:00";
    const next = "resets at 2026-11-09T05:00";
    expect(await spent()).toEqual({ ...days(`1, ${tuesday}`), week: `1, ${next}`, month: `0, ${december}` });
    const reset = await gateway.must(`/key/${keys.day}/reset_spend`, { reset_to: 0 });
    expect(reset.budget_reset_at).toBe("2026-11-03T05:00:00.000Z");
    expect(await spendAll(keys.day)).toBe(`1, ${tuesday}`);
  });

  it.skipIf(skip)("tells once a day of what nothing holds", async () => {
    at("a minute before midnight");
    await start();
    const key = await gateway.newKey({ soft_budget: CALL, budget_duration: "1d" });
    const alerts = (): number => gateway.log().split("a budget's alert is sent").length - 1;
    for (const [index, moment] of (["a minute before midnight", "midnight", "Monday"] as const).entries()) {
      at(moment);
      await gateway.must(
        "/chat/completions",
        { model: "m", messages: [{ role: "user", content: "x" }] },
        { key },
      );
      await until(() => alerts() === index + 1);
    }
  });

  it.skipIf(skip)("counts from the epoch without one", async () => {
    at("a minute before midnight");
    await start("");
    const key = await gateway.newKey({ max_budget: CALL, budget_duration: "1d" });
    expect(await spendAll(key)).toBe("1, resets at 2026-11-02T00:00");
    at("midnight");
    expect(await spendAll(key)).toBe("0, resets at 2026-11-02T00:00");
  });
});
