import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { answersWhile } from "./rules/answers-while.ts";
import { type Stage, startStage } from "./rules/stage.ts";
import { startTestGateway } from "./support/gateway.ts";
import { startPostgres, type TestPostgres } from "./support/postgres.ts";
import { hasPostgres } from "./support/services.ts";

let postgres: TestPostgres | undefined;
let stage: Stage | undefined;
let url: string;
beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres();
});
beforeEach(async () => {
  if (!hasPostgres) return;
  url = await postgres!.createDatabase();
  stage = await startStage({ environment: { DATABASE_URL: url } });
});
afterEach(() => stage?.close());
afterAll(() => postgres?.stop());

/** Whether the database takes changes; connections that are there already hear of it too. */
async function takesChanges(takes: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const database = new URL(url).pathname.slice(1);
  await client.query("set default_transaction_read_only = off");
  await client.query(
    `alter database ${database} set default_transaction_read_only = ${takes ? "off" : "on"}`,
  );
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()",
    [database],
  );
  await client.end();
}

/** Ways to break it, each with its end. */
const ways: Readonly<Record<string, () => () => unknown>> = {
  "has crashed": () => {
    postgres!.crash();
    return () => postgres!.startAgain();
  },
  "is frozen, so that connections stay and nothing is answered": () => postgres!.freeze(),
};

it.skipIf(!hasPostgres).each(Object.keys(ways))(
  "Every operation says so or does without while the database %s, and goes on when it is back",
  { timeout: 300_000 },
  async (way) => {
    let mend: () => unknown = () => undefined;
    try {
      const { statuses, unexpected } = await answersWhile(stage!, () => {
        mend = ways[way]!();
      });
      expect(unexpected).toEqual([]);
      expect(statuses.filter(([, status]) => status === 503).length).toBeGreaterThan(50);
    } finally {
      mend();
    }
    await expect.poll(async () => (await stage!.gateway.call("/v1/files")).status).toBe(200);
  },
);

it.skipIf(!hasPostgres)(
  "Every operation says so or does without while the database takes no changes",
  { timeout: 300_000 },
  async () => {
    const { statuses, unexpected } = await answersWhile(stage!, () => takesChanges(false), { once: true });
    expect(unexpected).toEqual([]);
    expect(statuses.filter(([, status]) => status === 503).length).toBeGreaterThan(50);
    await takesChanges(true);
    await expect
      .poll(async () => (await stage!.gateway.call("/key/generate", { body: {} })).status)
      .toBe(200);
  },
);

it.skipIf(!hasPostgres)(
  "with allow_requests_on_db_unavailable calls of models go on while the database is away",
  { timeout: 120_000 },
  async () => {
    const gateway = await startTestGateway({
      config: `model_list:
  - {model_name: m, litellm_params: {model: openai/gpt-4o, mock_response: hi}}
  - {model_name: other, litellm_params: {model: openai/gpt-4o, mock_response: hi}}
general_settings: {allow_requests_on_db_unavailable: true}
`,
      environment: { DATABASE_URL: await postgres!.createDatabase() },
    });
    const ask = async (key: string, model = "m"): Promise<number> =>
      (
        await gateway.call("/v1/chat/completions", {
          key,
          body: { model, messages: [{ role: "user", content: "x" }] },
        })
      ).status;
    try {
      const made = await gateway.call("/key/generate", { body: { models: ["m"], max_budget: 5 } });
      const { key } = (await made.json()) as { key: string };
      expect([await ask(key), await ask(key, "other"), await ask("sk-nobody")]).toEqual([200, 403, 401]);
      postgres!.crash();
      try {
        await new Promise((done) => setTimeout(done, 500));
        expect([await ask(key), await ask(key, "other")]).toEqual([200, 403]);
        expect([await ask("sk-nobody"), await ask("sk-somebody-new")]).toEqual([401, 200]);
        expect((await gateway.call("/key/list", { key: "sk-somebody-new" })).status).toBe(403);
      } finally {
        await postgres!.startAgain();
      }
      await expect.poll(() => ask("sk-somebody-new")).toBe(401);
      expect(await ask(key)).toBe(200);
    } finally {
      await gateway.close();
    }
  },
);

it.skipIf(!hasPostgres)(
  "with allow_requests_on_db_unavailable a database that is busy lets nobody in, and one that falls silent does",
  { timeout: 120_000 },
  async () => {
    const gateway = await startTestGateway({
      config: `model_list:
  - {model_name: m, litellm_params: {model: openai/gpt-4o, mock_response: hi}}
general_settings: {allow_requests_on_db_unavailable: true}
`,
      environment: { DATABASE_URL: url },
    });
    const locker = new pg.Client({ connectionString: url });
    locker.on("error", () => undefined);
    await locker.connect();
    /** More than there are connections. */
    const strangers = (turn: string, answered?: () => Promise<unknown>): Promise<number[]> =>
      Promise.all(
        Array.from({ length: 12 }, async (_, at) => {
          const body = { model: "m", messages: [{ role: "user", content: "x" }] };
          const key = `sk-${turn}-${at}`;
          const { status } = await gateway.call("/v1/chat/completions", { key, body });
          await answered?.();
          return status;
        }),
      );
    let refused = 0;
    let thaw = (): void => {};
    try {
      await locker.query("begin; lock table gateway_keys in access exclusive mode");
      // As soon as those are refused who wait for a connection: the others have one, and wait for the table.
      const statuses = await strangers("busy", async () => {
        refused += 1;
        if (refused === 6) await locker.query("rollback");
      });
      expect(statuses.sort()).toEqual([...Array(6).fill(401), ...Array(6).fill(503)]);
      thaw = postgres!.freeze();
      expect(new Set(await strangers("silent"))).toEqual(new Set([200]));
    } finally {
      thaw();
      await locker.end().catch(() => undefined);
      await gateway.close();
    }
  },
);
