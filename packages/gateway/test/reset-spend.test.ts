import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CallInit, spawnTestGateway, type TestGateway } from "./support/gateway.ts";
import { type Replicas, startReplicas } from "./support/replicas.ts";
import { hasPostgres } from "./support/services.ts";
import { until } from "./support/until.ts";

/** US dollars of each call: 100 tokens. */
const CALL = 0.001;

type Answer = Record<string, unknown> & { readonly status: number };

describe.each([
  ["SQLite", 1, 1],
  ["two workers on SQLite", 1, 2],
  ["two replicas on PostgreSQL", 2, 1],
])("Spend that is reset on %s", (_, count, workers) => {
  const skip = count > 1 && !hasPostgres;
  let started: Replicas;
  let replicas: readonly TestGateway[] = [];
  beforeAll(async () => {
    if (skip) return;
    const flags = ["--workers", String(workers)];
    started = await (workers === 1
      ? startReplicas(count)
      : startReplicas(count, undefined, (options) => spawnTestGateway({ ...options, flags })));
    replicas = started.all;
  });
  afterAll(() => started?.close());

  async function ask(path: string, body?: object, init: CallInit = {}): Promise<Answer> {
    const answer = await replicas[0]!.call(path, { ...init, ...(body === undefined ? {} : { body }) });
    return { ...((await answer.json()) as object), status: answer.status };
  }

  async function call(key: string, at = 0): Promise<number> {
    const body = { model: "m", max_tokens: 100, messages: [{ role: "user", content: "x" }] };
    const answer = await replicas[at % count]!.call("/v1/chat/completions", { key, body });
    await answer.text();
    return answer.status;
  }

  /** Spends until every replica refuses. @returns how many calls passed */
  async function exhaust(key: string): Promise<number> {
    let passed = 0;
    for (let at = 0, refused = 0; refused < count; at += 1) {
      const status = await call(key, at);
      expect([200, 402]).toContain(status);
      passed += status === 200 ? 1 : 0;
      refused = status === 402 ? refused + 1 : 0;
    }
    return passed;
  }

  const spendOf = async (key: string): Promise<number> => {
    const { info } = await replicas[0]!.must(`/key/info?key=${key}`);
    return (info as { spend: number }).spend;
  };

  /** What the key has spent, once the rows of every replica are in the store. */
  const settled = (key: string, calls: number): Promise<unknown> =>
    until(async () => Math.abs((await spendOf(key)) - calls * CALL) < 1e-9);

  const limits = {
    "one budget": { max_budget: 3 * CALL },
    "a budget with windows": { max_budget: 3 * CALL, budget_duration: "30d" },
    "a budget for a model": { model_max_budget: { m: { max_budget: 3 * CALL, budget_duration: "30d" } } },
  };
  it.skipIf(skip).each(Object.entries(limits))("gives a key with %s its room again", async (_name, given) => {
    const { key, token_id: hash } = (await replicas[0]!.must("/key/generate", given)) as {
      key: string;
      token_id: string;
    } & Answer;
    const passed = await exhaust(key);
    await settled(key, passed);
    const reset = await replicas[0]!.must(`/key/${key}/reset_spend`, { reset_to: CALL });
    const max_budget = "max_budget" in given ? given.max_budget : null;
    expect(reset).toMatchObject({ key_hash: hash, spend: CALL, max_budget });
    expect(reset.previous_spend).toBeCloseTo(passed * CALL, 9);
    expect(typeof reset.budget_reset_at).toBe("budget_duration" in given ? "string" : "object");
    expect(await spendOf(key)).toBeCloseTo(CALL, 9);
    const again = await exhaust(key);
    expect([2, 3]).toContain(again);
    await settled(key, 1 + again);
    // By its hash too, and to nothing.
    await replicas[0]!.must(`/key/${hash}/reset_spend`, { reset_to: 0 });
    expect(await exhaust(key)).toBeGreaterThanOrEqual(3);
  });

  it.skipIf(skip)("is noted in the audit log, and leaves the spend log as it is", async () => {
    const { key, token_id: hash } = await replicas[0]!.must("/key/generate", { key_alias: `noted ${count}` });
    expect(await call(key as string)).toBe(200);
    await settled(key as string, 1);
    await replicas[0]!.must(`/key/${hash}/reset_spend`, { reset_to: 0 });
    const { audit_logs: entries } = await replicas[0]!.must(`/audit?object_id=${hash}&action=updated`);
    expect(entries).toHaveLength(1);
    const [entry] = entries as [{ before_value: { spend: number }; updated_values: { spend: number } }];
    expect(entry.before_value.spend).toBeCloseTo(CALL, 9);
    expect(entry.updated_values.spend).toBe(0);
    const logs = await replicas[0]!.call(`/spend/logs?api_key=${hash}`);
    expect(((await logs.json()) as { data: object[] }).data).toHaveLength(1);
  });

  it.skipIf(skip)("is not more than what is spent or may be, and a number", async () => {
    const { key } = await replicas[0]!.must("/key/generate", { max_budget: 5 * CALL });
    expect(await call(key as string)).toBe(200);
    await settled(key as string, 1);
    const path = `/key/${key}/reset_spend`;
    for (const reset_to of [2 * CALL, 6 * CALL, -1, true, "0", null, undefined, {}, 1e300])
      expect(await ask(path, { reset_to })).toMatchObject({ status: 400, error: { param: "reset_to" } });
    expect(await spendOf(key as string)).toBeCloseTo(CALL, 9);
    expect(await ask("/key/sk-nobody-has-this/reset_spend", { reset_to: 0 })).toMatchObject({ status: 404 });
    expect(await ask("/team/none/reset_spend", { reset_to: 0 })).toMatchObject({ status: 404 });
    const own = await ask(path, { reset_to: 0 }, { key: key as string });
    expect(own.status).toBe(403);
  });

  it.skipIf(skip)("gives a team and a member their room again", async () => {
    const team_id = `t-${count}`;
    const member = { user_id: "u", role: "user" };
    await replicas[0]!.must("/team/new", { team_id, max_budget: 6 * CALL, budget_duration: "30d" });
    await replicas[0]!.must("/team/member_add", { team_id, member, max_budget_in_team: 2 * CALL });
    const { key } = (await replicas[0]!.must("/key/generate", { team_id, user_id: "u" })) as {
      key: string;
    } & Answer;
    const { key: other } = (await replicas[0]!.must("/key/generate", { team_id })) as {
      key: string;
    } & Answer;
    const ofMember = await exhaust(key);
    await settled(key, ofMember);
    const reset = await replicas[0]!.must(`/team/${team_id}/member/u/reset_spend`, { reset_to: 0 });
    expect(reset).toMatchObject({ team_id, user_id: "u", spend: 0, max_budget: 2 * CALL });
    expect(reset.previous_spend).toBeCloseTo(ofMember * CALL, 9);
    const again = await exhaust(key);
    expect(again).toBeGreaterThanOrEqual(2);
    const rest = await exhaust(other);
    await settled(other, rest);
    const ofTeam = await replicas[0]!.must(`/team/${team_id}/reset_spend`, { reset_to: 0 });
    expect(ofTeam).toMatchObject({ team_id, spend: 0, max_budget: 6 * CALL });
    expect(ofTeam.previous_spend).toBeCloseTo((ofMember + again + rest) * CALL, 9);
    expect(await exhaust(other)).toBeGreaterThanOrEqual(6);
    expect(await ask(`/team/${team_id}/member/nobody/reset_spend`, { reset_to: 0 })).toMatchObject({
      status: 404,
    });
  });

  it.skipIf(skip)(
    "loses nothing of calls that run: what ends later counts, and no more is spent",
    async () => {
      const { key } = (await replicas[0]!.must("/key/generate", { max_budget: 10 * CALL })) as {
        key: string;
      } & Answer;
      let passed = 0;
      let previous = 0;
      const storm = Array.from({ length: 60 }, async (_each, at) => {
        if ((await call(key, at)) === 200) passed += 1;
      });
      for (let resets = 0; resets < 5; resets += 1) {
        const reset = await ask(`/key/${key}/reset_spend`, { reset_to: 0 });
        expect(reset.status).toBe(200);
        previous += reset.previous_spend as number;
      }
      await Promise.all(storm);
      const left = (): Promise<number> => spendOf(key);
      // Every call that passed was reset away or still counts, exactly once.
      await until(async () => Math.abs(previous + (await left()) - passed * CALL) < 1e-9);
      const more = await exhaust(key);
      expect(more * CALL + (await left())).toBeGreaterThan(0);
      await until(async () => Math.abs(previous + (await left()) - (passed + more) * CALL) < 1e-9);
      // One call may pass what is left.
      expect(await left()).toBeLessThanOrEqual(11 * CALL + 1e-9);
    },
  );
});
