import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MASTER_KEY, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { startPostgres, type TestPostgres } from "./support/postgres.ts";
import { hasPostgres } from "./support/services.ts";
import { type SlowFront, startSlowFront } from "./support/slow-front.ts";
import { startProvider, type TokenProvider } from "./support/token-provider.ts";

/** US dollars of each call: 100 tokens. */
const CALL = 0.001;

describe.skipIf(!hasPostgres)("A PostgreSQL that is slow", () => {
  let postgres: TestPostgres;
  let front: SlowFront;
  let provider: TokenProvider;
  let gateway: TestGateway;
  let database: string;
  beforeAll(async () => {
    postgres = await startPostgres();
    database = await postgres.createDatabase();
    const address = new URL(database);
    front = await startSlowFront(Number(address.port));
    address.port = String(front.port);
    provider = await startProvider();
    const price = "input_cost_per_token: 0.00001, output_cost_per_token: 0.00001";
    gateway = await startTestGateway({
      environment: { DATABASE_URL: address.href },
      config: `model_list:
  - {model_name: m, litellm_params: {model: openai/m, api_base: "${provider.url}", api_key: x, ${price}}}
general_settings: {master_key: ${MASTER_KEY}}
`,
    });
    await made("/user/new", { user_id: "u", auto_create_key: false });
    await made("/team/new", {
      team_id: "t",
      members_with_roles: [{ user_id: "u", role: "user" }],
      max_budget: 9,
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await front?.close();
    provider?.close();
    postgres?.stop();
  });

  async function made(path: string, body: object): Promise<string> {
    const answer = await gateway.call(path, { body });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { key: string }).key;
  }

  const chat = async (key: string): Promise<number> => {
    const body = { model: "m", max_tokens: 100, messages: [{ role: "user", content: "x" }] };
    const answer = await gateway.call("/v1/chat/completions", { key, body });
    await answer.text();
    return answer.status;
  };

  it("answers calls while lists wait for it on every connection that they may have", async () => {
    const key = await made("/key/generate", { team_id: "t", user_id: "u", max_budget: 9 });
    const lister = await made("/key/generate", {});
    const list = () => gateway.call("/v1/messages/batches", { key: lister });
    expect((await list()).status).toBe(200);
    const locker = new pg.Client({ connectionString: database });
    await locker.connect();
    await locker.query("begin");
    await locker.query("lock table batches in access exclusive mode");
    let listed = 0;
    const lists = Array.from({ length: 30 }, async () => {
      const { status } = await list();
      listed += 1;
      return status;
    });
    try {
      const waiting = "select from pg_stat_activity where wait_event_type = 'Lock'";
      await expect.poll(async () => (await locker.query(waiting)).rowCount).toBe(10);
      // A new key is read from the database, and so is what each call may cost.
      for (let turn = 0; turn < 5; turn += 1) expect(await chat(key)).toBe(200);
      expect((await gateway.call("/health/readiness")).status).toBe(200);
      expect(listed).toBe(0);
    } finally {
      await locker.query("rollback");
      await locker.end();
    }
    expect(new Set(await Promise.all(lists))).toContain(200);
  });

  it("is asked once for what a hundred calls want to know at the same moment", async () => {
    const key = await made("/key/generate", { team_id: "t", user_id: "u" });
    expect(await chat(key)).toBe(200);
    // A change of anything above keys has every replica forget what it knew.
    await made("/team/update", { team_id: "t", team_alias: "other" });
    front.delay = 50;
    const before = front.requests;
    const statuses = await Promise.all(Array.from({ length: 100 }, () => chat(key)));
    const asked = front.requests - before;
    front.delay = 0;
    expect(new Set(statuses)).toEqual(new Set([200]));
    // Each for itself they ask four times.
    expect(asked).toBeLessThan(300);
  });

  it("holds budgets, and lets calls through that have room", async () => {
    const key = await made("/key/generate", { max_budget: 3 * CALL });
    front.delay = 100;
    const statuses = await Promise.all(Array.from({ length: 30 }, () => chat(key)));
    front.delay = 0;
    const passed = statuses.filter((status) => status === 200).length;
    expect(passed).toBeGreaterThanOrEqual(2);
    expect(passed).toBeLessThanOrEqual(4);
    expect(statuses.filter((status) => status !== 200 && status !== 402)).toEqual([]);
  });
});
