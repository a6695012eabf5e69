import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MASTER_KEY, spawnTestGateway, startTestGateway } from "./support/gateway.ts";
import { startPostgres, type TestPostgres } from "./support/postgres.ts";
import { hasPostgres } from "./support/services.ts";

/** Fewer than the gateway asks for. */
const CONNECTIONS = 8;

describe.skipIf(!hasPostgres)("A database that takes few connections", () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres([
      "shared_buffers=16MB",
      `max_connections=${CONNECTIONS}`,
      "superuser_reserved_connections=0",
    ]);
  });
  afterAll(() => postgres?.stop());

  it("fails no request, and gets every spend row", { timeout: 120_000 }, async () => {
    const gateway = await startTestGateway({
      config: `model_list:
  - {model_name: m, litellm_params: {model: openai/gpt-4o, mock_response: hi}}
general_settings: {master_key: ${MASTER_KEY}, database_url: "${await postgres.createDatabase()}"}
`,
    });
    try {
      const body = { model: "m", messages: [{ role: "user", content: "x" }] };
      const failed: unknown[] = [];
      const ask = async (path: string, init: object): Promise<void> => {
        const answer = await gateway.call(path, init);
        if (answer.status !== 200) failed.push([path, answer.status, await answer.text()]);
        else await answer.body?.cancel();
      };
      // Far more at once than there are connections; each more would let a slow machine wait longer for one than it may.
      const callers = Array.from({ length: 20 }, async () => {
        const key = await gateway.newKey({ max_budget: 100 });
        for (let turn = 0; turn < 10; turn += 1) {
          await ask("/v1/chat/completions", { key, body });
          await ask("/key/list", {});
          await ask("/v1/conversations", { key, body: {} });
        }
      });
      await Promise.all(callers);
      expect(failed).toEqual([]);
      const rows = async (): Promise<number> => {
        const { data } = await gateway.must("/spend/logs?limit=1000&model=m", undefined, { method: "GET" });
        return (data as unknown[]).length;
      };
      await expect.poll(rows).toBe(200);
    } finally {
      await gateway.close();
    }
  });

  it("refuses to start more workers than it has connections for, and says what to do", {
    timeout: 120_000,
  }, async () => {
    const database_url = await postgres.createDatabase();
    const taken = await Promise.all(
      Array.from({ length: CONNECTIONS - 2 }, async () => {
        const client = new pg.Client({ connectionString: database_url });
        await client.connect();
        return client;
      }),
    );
    try {
      const config = `model_list: []
general_settings: {master_key: ${MASTER_KEY}, database_url: "${database_url}"}
`;
      await expect(spawnTestGateway({ config, flags: ["--workers", "3"] })).rejects.toThrow(
        /takes no more connections: every process of the gateway.* wants eight; raise its max_connections, or start fewer processes\.\n/,
      );
    } finally {
      await Promise.all(taken.map((client) => client.end()));
    }
  });

  it("and has none left for a while answers as one that is away, and then goes on", async () => {
    const url = await postgres.createDatabase();
    const gateway = await startTestGateway({
      config: `model_list: []
general_settings: {master_key: ${MASTER_KEY}, database_url: "${url}"}
`,
    });
    const taken: pg.Client[] = [];
    const take = async (): Promise<boolean> => {
      const client = new pg.Client({ connectionString: url });
      client.on("error", () => undefined);
      try {
        await client.connect();
        taken.push(client);
        return true;
      } catch {
        return false;
      }
    };
    try {
      // Whatever the gateway lets go of is taken at once.
      await expect
        .poll(async () => {
          while (await take());
          await taken[0]!.query(
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name <> ''",
          );
          return taken.length;
        })
        .toBe(CONNECTIONS);
      const answer = await gateway.call("/key/list");
      expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining("try again")]);
      await Promise.all(taken.splice(0).map((client) => client.end()));
      await expect.poll(async () => (await gateway.call("/key/list")).status).toBe(200);
    } finally {
      await Promise.all(taken.map((client) => client.end()));
      await gateway.close();
    }
  });
});
