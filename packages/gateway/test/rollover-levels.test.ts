import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { reachedLevels } from "../src/features/alerts/levels.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { startProvider, type TokenProvider } from "./support/token-provider.ts";
import { until } from "./support/until.ts";

/** US dollars of each call: 100 tokens. */
const CALL = 0.001;
const FILE_KEY = "sk-of-the-configuration";
/** Two calls a day, of which one rolls over. */
const BUDGET = { max_budget: 2 * CALL, budget_duration: "1d", max_rollover: CALL };
const day = (date: number): string => `2026-11-${String(date).padStart(2, "0")}T12:00:00Z`;

/** Whoever calls: with a key, and perhaps in somebody's name. */
interface Caller {
  readonly key: string;
  readonly fields?: object;
}

describe("What rolls over at each level", () => {
  let provider: TokenProvider;
  let folder = "";
  let gateway: TestGateway;
  beforeAll(async () => {
    provider = await startProvider();
  });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "portico-rollover-"));
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(day(2)) });
    const price = "input_cost_per_token: 0.00001, output_cost_per_token: 0.00001";
    const config = `model_list:
  - {model_name: m, litellm_params: {model: openai/m, api_base: "${provider.url}", api_key: x, ${price}}}
litellm_settings: {timezone: US/Eastern, callbacks: [prometheus]}
general_settings: {master_key: sk-test-master-key-0123456789, alerting: [webhook]}
keys:
  - {key: ${FILE_KEY}, max_budget: ${2 * CALL}, budget_duration: 1d, max_rollover: ${CALL}}
`;
    gateway = await startTestGateway({ config, dataDirectory: folder });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await gateway?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  afterAll(() => provider.close());

  function call({ key, fields }: Caller): Promise<Response> {
    const body = { model: "m", max_tokens: 50, messages: [{ role: "user", content: "x" }], ...fields };
    return gateway.call("/v1/chat/completions", { key, body });
  }

  /** Calls until one is refused. @returns how many were answered, and what the refusal says of the budget */
  async function spendAll(caller: Caller): Promise<string> {
    for (let answered = 0; ; answered += 1) {
      const answer = await call(caller);
      const text = await answer.text();
      if (answer.status === 200) continue;
      expect(answer.status, text).toBe(402);
      return `${answered}: ${/\$\S+ of \$\S+/.exec(text)?.[0]}`;
    }
  }

  it("is what was left, once", async () => {
    const organization = await gateway.must("/organization/new", { organization_alias: "o", ...BUDGET });
    const team = await gateway.must("/team/new", BUDGET);
    const members = await gateway.must("/team/new", {
      team_member_budget: BUDGET.max_budget,
      team_member_budget_duration: BUDGET.budget_duration,
      team_member_max_rollover: BUDGET.max_rollover,
      members_with_roles: [{ user_id: "of all", role: "user" }],
    });
    await gateway.must("/team/member_add", {
      team_id: team.team_id,
      member: { user_id: "a member", role: "user" },
      max_budget_in_team: BUDGET.max_budget,
      budget_duration: "1d",
      max_rollover: CALL,
    });
    const alone = await gateway.must("/team/new", {});
    await gateway.must("/team/member_add", {
      team_id: alone.team_id,
      member: { user_id: "a member", role: "user" },
      max_budget_in_team: BUDGET.max_budget,
      budget_duration: "1d",
      max_rollover: CALL,
    });
    await gateway.must("/user/new", { user_id: "u", ...BUDGET });
    await gateway.must("/customer/new", { user_id: "c", ...BUDGET });
    await gateway.must("/tag/new", { name: "t", ...BUDGET });
    await gateway.must("/budget/new", { budget_id: "b", ...BUDGET });
    const model = { budget_limit: 2 * CALL, time_period: "1d", max_rollover: CALL };
    const callers: Record<string, Caller> = {
      organization: { key: await gateway.newKey({ organization_id: organization.organization_id }) },
      team: { key: await gateway.newKey({ team_id: team.team_id }) },
      "all members": { key: await gateway.newKey({ team_id: members.team_id, user_id: "of all" }) },
      member: { key: await gateway.newKey({ team_id: alone.team_id, user_id: "a member" }) },
      user: { key: await gateway.newKey({ user_id: "u" }) },
      customer: { key: await gateway.newKey({}), fields: { user: "c" } },
      tag: { key: await gateway.newKey({ tags: ["t"] }) },
      budget: { key: await gateway.newKey({ budget_id: "b" }) },
      model: { key: await gateway.newKey({ model_max_budget: { m: model } }) },
      key: { key: await gateway.newKey(BUDGET) },
      "key of the file": { key: FILE_KEY },
    };
    const each = async (work: (caller: Caller) => Promise<string>): Promise<Record<string, string>> =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(callers).map(async ([name, caller]) => [name, await work(caller)] as const),
        ),
      );
    const every = (text: string) => Object.fromEntries(Object.keys(callers).map((name) => [name, text]));

    expect(await each(async (caller) => String((await call(caller)).status))).toEqual(every("200"));
    vi.setSystemTime(day(3));
    expect(await each(spendAll)).toEqual(every("3: $0.003 of $0.003"));
    vi.setSystemTime(day(4));
    expect(await each(spendAll)).toEqual(every("2: $0.002 of $0.002"));
    // A day without calls.
    vi.setSystemTime(day(6));
    const key = callers.key!.key;
    const info = await gateway.must(`/key/info?key=${key}`);
    expect(info.info).toMatchObject({ max_rollover: CALL, rolled_over: CALL });
    const file = await gateway.must(`/key/info?key=${FILE_KEY}`);
    expect(file.info).toMatchObject({ max_rollover: CALL, rolled_over: CALL });
    const ofBudget = await gateway.must(`/key/info?key=${callers.budget!.key}`);
    expect(ofBudget.info).toMatchObject({ max_rollover: null, rolled_over: CALL });
    const ofTeam = await gateway.must(`/team/info?team_id=${team.team_id}`);
    expect(ofTeam.team_info).toMatchObject({ max_rollover: CALL, rolled_over: CALL });
    // A renewed key goes on with what it had.
    const renewed = await gateway.must(`/key/${key}/regenerate`, {});
    callers.key = { key: renewed.key as string };
    await call(callers.key);
    const metrics = await (await gateway.call("/metrics")).text();
    expect(metrics).toMatch(/^litellm_api_key_max_budget_metric\{.* 0.003$/m);
    expect(await spendAll(callers.key)).toBe("2: $0.003 of $0.003");
  });

  it("is told of where its budget is spent", async () => {
    const levels = (spent: number) => reachedLevels({ maxBudget: 2, softBudget: 2 }, spent, Date.now(), 1);
    expect(levels(2).flat()).toMatchObject([{ event: "soft_budget_crossed" }]);
    expect(levels(3)[0]).toMatchObject([{ event: "budget_crossed", budget: 2, from: 3 }, {}, {}]);
    const caller = { key: await gateway.newKey(BUDGET) };
    const alerts = (): number => gateway.log().split('"alert":"budget_crossed"').length - 1;
    await call(caller);
    vi.setSystemTime(day(3));
    await call(caller);
    await call(caller);
    await call(caller);
    await until(() => alerts() === 1);
    vi.setSystemTime(day(4));
    expect(await spendAll(caller)).toBe("2: $0.002 of $0.002");
    await until(() => alerts() === 2);
  });
});
