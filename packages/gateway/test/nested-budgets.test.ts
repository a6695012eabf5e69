import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aboveKeys, type Level } from "./support/budget-levels.ts";
import type { CallInit, TestGateway } from "./support/gateway.ts";
import { type Replicas, startReplicas } from "./support/replicas.ts";
import { hasPostgres } from "./support/services.ts";
import { until } from "./support/until.ts";

/** US dollars of each call: 100 tokens. */
const CALL = 0.001;
const BUDGET = 0.01;

type Answer = Record<string, unknown> & { readonly status: number };

describe.each([
  ["SQLite", 1],
  ["three replicas on PostgreSQL", 3],
])("Limits and budgets above keys on %s", (_, count) => {
  const skip = count > 1 && !hasPostgres;
  let started: Replicas;
  let replicas: readonly TestGateway[] = [];
  beforeAll(async () => {
    if (skip) return;
    started = await startReplicas(count);
    replicas = started.all;
    // The first customer or tag is in force at the other replicas within a second, not at once.
    await replicas[0]!.must("/customer/block", { user_ids: ["c-blocked"] });
    const key = await replicas[0]!.newKey({});
    const isRefused = async (at: number) => (await call(key, { user: "c-blocked" }, at)).status === 403;
    for (let at = 0; at < count; at += 1) await until(() => isRefused(at));
  });
  afterAll(() => started?.close());

  async function ask(path: string, body?: object, init: CallInit = {}): Promise<Answer> {
    const answer = await replicas[0]!.call(path, { ...init, ...(body === undefined ? {} : { body }) });
    const text = (await answer.json()) as object;
    return { ...text, status: answer.status };
  }

  /** One call of a model. */
  async function call(key: string, more: object = {}, at = 0): Promise<Answer> {
    const body = { model: "m", max_tokens: 100, messages: [{ role: "user", content: "x" }], ...more };
    const answer = await replicas[at % count]!.call("/v1/chat/completions", { key, body });
    return { ...((await answer.json()) as object), status: answer.status };
  }

  const messageOf = (answer: Answer): string => String((answer.error as { message?: string })?.message);

  const levels = aboveKeys({
    must: (...asked) => replicas[0]!.must(...asked),
    masterKey: () => replicas[0]!.masterKey,
  });

  const names = Object.keys(levels);

  /** Calls at the same moment, from all keys at all replicas. */
  const storm = ({ keys, more }: Level, calls: number): Promise<Answer[]> =>
    Promise.all(Array.from({ length: calls }, (_, index) => call(keys[index % 2]!, more, index)));

  const spendOf = async (level: Level): Promise<number> => Number((await level.shown()).spend);

  it.skipIf(skip).each(names)("a budget of a %s is spent, and passed by one call at most", async (kind) => {
    const level = await levels[kind]!({ max_budget: BUDGET });
    const answers = await storm(level, 40);
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 402)).toEqual(
      [],
    );
    const passed = answers.filter(({ status }) => status === 200).length;
    // Each of these has its room: nobody is refused while some is left.
    expect(passed).toBeGreaterThanOrEqual(Math.round(BUDGET / CALL));
    expect(passed).toBeLessThanOrEqual(Math.round(BUDGET / CALL) + 1);
    const refused = answers.find(({ status }) => status === 402)!;
    expect(messageOf(refused)).toContain(`The budget of ${level.name} is exhausted`);
    await until(async () => Math.abs((await spendOf(level)) - passed * CALL) < 1e-9);
  });

  it.skipIf(skip).each(names)("a budget of nothing refuses every call under a %s", async (kind) => {
    const level = await levels[kind]!({ max_budget: 0 });
    expect((await storm(level, 4)).map(({ status }) => status)).toEqual([402, 402, 402, 402]);
    const free = { ...level.more, mock_response: "hi" };
    expect(await call(level.keys[0]!, free)).toMatchObject({ status: 402 });
  });

  it.skipIf(skip).each(names)("requests, tokens and parallel calls are limited for a %s", async (kind) => {
    // Counters are shared by replicas through Redis alone.
    const at = async (level: Level, calls: number, more = {}): Promise<number[]> => {
      const statuses: number[] = [];
      for (let index = 0; index < calls; index += 1)
        statuses.push((await call(level.keys[index % 2]!, { ...level.more, ...more })).status);
      return statuses;
    };
    expect(await at(await levels[kind]!({ rpm_limit: 2 }), 3)).toEqual([200, 200, 429]);
    expect(await at(await levels[kind]!({ tpm_limit: 100 }), 2)).toEqual([200, 429]);
    if (kind === "member") return;
    expect(await at(await levels[kind]!({ max_parallel_requests: 0 }), 1)).toEqual([429]);
  });

  it.skipIf(skip).each(names)("what a %s spent before it had a budget counts", async (kind) => {
    const level = await levels[kind]!({});
    for (const { status } of await storm(level, 6)) expect(status).toBe(200);
    await until(async () => Math.abs((await spendOf(level)) - 6 * CALL) < 1e-9);
    await level.change({ max_budget: 5 * CALL });
    const isRefused = async (at: number) => (await call(level.keys[0]!, level.more, at)).status === 402;
    for (let at = 0; at < count; at += 1) await until(() => isRefused(at));
    await level.change({ max_budget: 100 * CALL });
    for (let at = 0; at < count; at += 1) await until(async () => !(await isRefused(at)));
  });

  it.skipIf(skip)("a budget that is set while calls run counts what they cost", async () => {
    const level = await levels.team!({});
    const passedOf = (answers: Answer[]) => answers.filter(({ status }) => status === 200).length;
    const running = storm(level, 30);
    await level.change({ max_budget: 20 * CALL });
    let passed = passedOf(await running);
    await until(async () => {
      const again = passedOf(await storm(level, 6));
      passed += again;
      return again === 0;
    });
    expect(passed).toBeGreaterThanOrEqual(20);
    await until(async () => Math.abs((await spendOf(level)) - passed * CALL) < 1e-9);
  });

  it.skipIf(skip)("all levels hold at once, and the tightest is named", async () => {
    await replicas[0]!.must("/organization/new", {
      organization_id: "o-all",
      organization_alias: "o",
      max_budget: 1,
    });
    await replicas[0]!.must("/team/new", { team_id: "t-all", organization_id: "o-all", max_budget: 1 });
    await replicas[0]!.must("/team/member_add", {
      team_id: "t-all",
      member: { user_id: "u-all", role: "user" },
      max_budget_in_team: 3 * CALL,
    });
    await replicas[0]!.must("/customer/new", { user_id: "c-all", max_budget: 2 * CALL });
    const key = await replicas[0]!.newKey({ team_id: "t-all", user_id: "u-all", max_budget: 1 });
    const other = await replicas[0]!.newKey({ team_id: "t-all" });
    const customer = { user: "c-all" };
    for (let index = 0; index < 2; index += 1)
      expect(await call(key, customer, index)).toMatchObject({ status: 200 });
    expect(messageOf(await call(key, customer))).toContain("the customer c-all");
    expect(await call(key)).toMatchObject({ status: 200 });
    expect(messageOf(await call(key))).toContain("the user u-all in the team t-all");
    expect(await call(other)).toMatchObject({ status: 200 });
    const spend = async (path: string) => Number((await replicas[0]!.must(path)).spend);
    await until(
      async () => Math.abs((await spend("/organization/info?organization_id=o-all")) - 4 * CALL) < 1e-9,
    );
    // A user's own budget is for its keys without a team; what it spends in teams is shown all the same.
    const { user_info: user } = await replicas[0]!.must("/user/info?user_id=u-all");
    expect((user as { spend: number }).spend).toBeCloseTo(3 * CALL, 9);
  });

  it.skipIf(skip)("members have what their team gives each of them, unless they have their own", async () => {
    await replicas[0]!.must("/team/new", { team_id: "t-each", team_member_budget: 2 * CALL });
    const members = ["u-1", "u-2"].map((user_id) => ({ user_id, role: "user" }));
    await replicas[0]!.must("/team/member_add", { team_id: "t-each", member: members });
    await replicas[0]!.must("/team/member_update", {
      team_id: "t-each",
      user_id: "u-2",
      max_budget_in_team: 3 * CALL,
    });
    for (const [user, calls] of [
      ["u-1", 2],
      ["u-2", 3],
    ] as const) {
      const key = await replicas[0]!.newKey({ team_id: "t-each", user_id: user });
      for (let index = 0; index < calls; index += 1)
        expect(await call(key, {}, index)).toMatchObject({ status: 200 });
      expect(await call(key)).toMatchObject({ status: 402 });
    }
  });

  it.skipIf(skip)(
    "a budget by its id holds for each that names it, and stays while it is named",
    async () => {
      await replicas[0]!.must("/budget/new", { budget_id: "b-some", max_budget: 2 * CALL });
      expect(await ask("/team/new", { team_id: "t-none", budget_id: "b-none" })).toMatchObject({
        status: 400,
      });
      for (const id of ["t-b1", "t-b2"]) {
        await replicas[0]!.must("/team/new", { team_id: id, budget_id: "b-some" });
        const key = await replicas[0]!.newKey({ team_id: id });
        expect(
          (await storm({ keys: [key, key], name: "", shown: async () => ({}), change: async () => {} }, 6))
            .map(({ status }) => status)
            .filter((status) => status === 200).length,
        ).toBeLessThanOrEqual(3);
        expect(messageOf(await call(key))).toContain(`the team ${id}`);
      }
      expect(await ask("/budget/delete", { id: "b-some" })).toMatchObject({ status: 400 });
      for (const id of ["t-b1", "t-b2"])
        await replicas[0]!.must("/team/update", { team_id: id, budget_id: null });
      expect(await ask("/budget/delete", { id: "b-some" })).toMatchObject({ status: 200 });
    },
  );

  it.skipIf(skip)("a team that is made anew under an old id begins with nothing", async () => {
    await replicas[0]!.must("/team/new", { team_id: "t-again", max_budget: BUDGET });
    const key = await replicas[0]!.newKey({ team_id: "t-again" });
    const running = storm(
      { keys: [key, key], name: "", shown: async () => ({}), change: async () => {} },
      12,
    );
    await replicas[0]!.must("/team/delete", { team_ids: ["t-again"] });
    for (const { status } of await running) expect([200, 401, 402]).toContain(status);
    await replicas[0]!.must("/team/new", { team_id: "t-again", max_budget: BUDGET });
    const { team_info: team } = await replicas[0]!.must("/team/info?team_id=t-again");
    expect(team).toMatchObject({ spend: 0 });
    expect(await call(await replicas[0]!.newKey({ team_id: "t-again" }))).toMatchObject({ status: 200 });
  });

  it.skipIf(skip)("a blocked customer is refused, by every field that names it", async () => {
    await replicas[0]!.must("/customer/new", { user_id: "c-bad", max_budget: 1 });
    const key = await replicas[0]!.newKey({});
    const named = [
      { user: "c-bad" },
      { metadata: { user_id: "c-bad" } },
      { litellm_metadata: { user: "c-bad" } },
      { safety_identifier: "c-bad" },
    ];
    for (const more of named) expect(await call(key, more)).toMatchObject({ status: 200 });
    await replicas[0]!.must("/customer/block", { user_ids: ["c-bad"] });
    for (const more of named) expect(await call(key, more)).toMatchObject({ status: 403 });
    await replicas[0]!.must("/customer/unblock", { user_ids: ["c-bad"] });
    expect(await call(key, named[0])).toMatchObject({ status: 200 });
    // As in LiteLLM, also before anybody made it.
    expect(await call(key, { user: "c-unmade" })).toMatchObject({ status: 200 });
    await replicas[0]!.must("/customer/block", { user_ids: ["c-unmade", "c-bad"] });
    expect(await call(key, { user: "c-unmade" })).toMatchObject({ status: 403 });
  });

  it.skipIf(skip)("odd limits are refused", async () => {
    const odd = [-1, 1e300, "many", Number.NaN, [], true];
    for (const limit of odd.map((value) => (Number.isNaN(value) ? "NaN" : value))) {
      for (const name of ["max_budget", "rpm_limit", "tpm_limit", "max_parallel_requests"])
        expect(await ask("/team/new", { [name]: limit }), `${name} ${limit}`).toMatchObject({ status: 400 });
      expect(await ask("/team/new", { budget_duration: limit })).toMatchObject({ status: 400 });
    }
  });
});
