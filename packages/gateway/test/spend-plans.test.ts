import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { type CompiledQuery, Kysely, sql } from "kysely";
import pg from "pg";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Managed } from "../src/core/auth/management/management.ts";
import { SpendStore } from "../src/core/ledger/spend-store.ts";
import { BatchStore } from "../src/features/batches/store.ts";
import { overviewSums } from "../src/features/console/overview-store.ts";
import { type Group, sourceOf } from "../src/features/spend/sum-sources.ts";
import { sumsOf } from "../src/features/spend/sums.ts";
import { visibleParts, visibleRows } from "../src/features/spend/visible-rows.ts";
import { NodeSqliteDialect } from "../src/platform/store/node-sqlite-dialect.ts";
import { openPostgresStore, openSqliteStore } from "../src/platform/store/open-store.ts";
import { postgresDialects } from "../src/platform/store/postgres-dialect.ts";
import type { Schema, Store } from "../src/platform/store/schema.ts";
import { setNumber } from "../src/platform/store/settings-store.ts";
import { CUSTOMER_BLOCKS_UNTIL } from "../src/platform/store/spend-sums-sql.ts";
import { DAY_MS } from "../src/util/day.ts";
import { hasPostgres } from "./support/services.ts";
import { openDatabases } from "./support/shared-postgres.ts";

/**
 * How SQLite looks up rows of the spend log and its sums: by the indexes of what the caller may see. Its planner knows
 * neither parameters nor, in a new store, how many rows there are.
 */

let folder = "";
let store: Store;
let statements: CompiledQuery[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "portico-plans-"));
  const made = await openSqliteStore(folder);
  await made.close();
  const dialect = new NodeSqliteDialect(join(folder, "portico.sqlite"));
  const db = new Kysely<Schema>({ dialect, log: ({ query }) => void statements.push(query) });
  store = { ...made, db };
});
afterEach(async () => {
  await store.db.destroy();
  rmSync(folder, { recursive: true, force: true });
});

/** What is planned for the last statement that some work runs. */
async function planOf(work: () => Promise<unknown>): Promise<string> {
  statements = [];
  await work();
  const { sql: text, parameters } = statements.at(-1)!;
  const database = new DatabaseSync(join(folder, "portico.sqlite"), { readOnly: true });
  const lines = database.prepare(`explain query plan ${text}`).all(...(parameters as SQLInputValue[]));
  database.close();
  return lines.map(({ detail }) => detail).join("\n");
}

const askers = {
  "an internal user": { organizationIds: [], teamIds: [], userId: "user" },
  "a team's administrator": { organizationIds: [], teamIds: ["team 1", "team 2"], userId: "user" },
  "an organization's administrator": { organizationIds: ["org"], teamIds: [], userId: undefined },
};

const managedBy = (who: keyof typeof askers): Managed =>
  ({
    actor: { scope: { ...askers[who], keyHash: "key", bound: { teamId: "team" } } },
    parts: { entities: { store, teamsOf: async (ids: string[]) => (ids.length > 0 ? ["team 3"] : []) } },
  }) as unknown as Managed;

const names = Object.keys(askers) as (keyof typeof askers)[];

it.each(names)("adds up by the indexes of what %s sees", async (who) => {
  const where = await visibleRows(managedBy(who));
  const now = Date.now();
  const groups: Group[][] = [["day"], ["customer"], ["day", "team", "model", "key"], ["tag"]];
  // Whole days, which come from the sums, and a part of one, which comes from the rows.
  for (const by of groups)
    for (const start of [0, now - 3_600_000]) {
      const source = await sourceOf(store, { by, period: { start, end: now }, where });
      const plan = await planOf(() => sql`select sum(spend) from ${source} as counted`.execute(store.db));
      expect(plan).toContain("MULTI-INDEX OR");
      expect(plan).not.toMatch(/SCAN spend_|AUTOMATIC/);
    }
});

it.each(names)("finds a page of the rows that %s sees by their indexes", async (who) => {
  const parts = await visibleParts(managedBy(who));
  const spend = new SpendStore(store);
  for (const offset of [0, 5000])
    for (const filter of [{ parts }, { parts, search: "words" }])
      expect(await planOf(() => spend.page(filter, offset, 51))).not.toMatch(/SCAN spend_|AUTOMATIC/);
});

it("counts in blocks whether customers of some owners are too many for one report", async () => {
  const today = Math.floor(Date.now() / DAY_MS);
  await setNumber(store.db, CUSTOMER_BLOCKS_UNTIL, today);
  const managed = { actor: {}, parts: { ledger: { flush: async () => undefined }, entities: { store } } };
  const by: Group[] = ["day", "customer", "model", "key"];
  const period = { start: (today - 30) * DAY_MS, end: today * DAY_MS };
  const where = [sql<boolean>`spend_logs.team_id = ${"team"}`];
  statements = [];
  await sumsOf(managed as unknown as Managed, { by, period, where });
  const counting = statements.filter(({ sql: text }) => text.includes("count(*)"));
  expect(counting.map(({ sql: text }) => /from "?(spend_\w+)"?/.exec(text)?.[1])).toEqual(["spend_owners"]);
});

it("finds a tenant's batches by their index", async () => {
  const page = { tenant: "key", provider: "openai", model: undefined, endpoint: undefined, limit: 20 };
  const edges = { after: undefined, before: undefined };
  const plan = await planOf(() => new BatchStore(store).list({ ...page, ...edges }));
  expect(plan).toBe("SEARCH batches USING INDEX batches_of_tenant (tenant=?)");
});

it("looks up the rows of a page when they are found, however many there are", async () => {
  const spend = new SpendStore(store);
  for (const filter of [{}, { hasSession: true }, { model: "model" }]) {
    const plan = await planOf(() => spend.page(filter, 0, 51));
    expect(plan).toMatch(
      /SCAN found\n *SEARCH spend_logs USING INDEX sqlite_autoindex_spend_logs_1 \(id=\?\)/,
    );
  }
});

it.skipIf(!hasPostgres)("knows on PostgreSQL how many rows a user has in a team", async () => {
  const postgres = await openDatabases();
  try {
    const { db, close } = await openPostgresStore(await postgres.createDatabase(), pino({ level: "silent" }));
    // Fifty users, each with a team of its own.
    await sql`insert into spend_logs (id, request_id, key_hash, user_id, team_id, model, call_type, status,
        prompt_tokens, completion_tokens, cache_read_tokens, cache_write_tokens, spend, started_at, ended_at)
      select 'id ' || n, 'call', 'key ' || n % 50, 'user ' || n % 50, 'team ' || n % 50, 'model', 'acompletion', 'success',
        1, 1, 0, 0, 0, n, n from generate_series(1, 5000) as made (n)`.execute(db);
    await sql`analyze spend_logs`.execute(db);
    const { rows } = await sql<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>`explain (format json)
      select * from spend_logs where user_id = 'user 7' and team_id = 'team 7'`.execute(db);
    expect(rows[0]!["QUERY PLAN"][0].Plan["Plan Rows"]).toBeGreaterThan(50);
    await close();
  } finally {
    await postgres.stop();
  }
});

it.skipIf(!hasPostgres)("adds up a key's overview on PostgreSQL from an index alone", async () => {
  const postgres = await openDatabases();
  try {
    const url = await postgres.createDatabase();
    const logger = pino({ level: "silent" });
    const made = await openPostgresStore(url, logger);
    const asked: CompiledQuery[] = [];
    const db = new Kysely<Schema>({
      dialect: (await postgresDialects(url, logger)).all,
      log: ({ query }) => void asked.push(query),
    });
    const stretch = { start: 0, end: Date.now(), keyHash: "key" };
    await overviewSums({ ...made, db }, stretch, { step: 43_200_000, limit: 50 });
    await db.destroy();
    await made.close();
    // The table is empty: only what cannot be read from the index alone keeps PostgreSQL from that.
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("set enable_seqscan = off; set enable_bitmapscan = off");
    const { sql: text, parameters } = asked.at(-1)!;
    const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain ${text}`, [...parameters]);
    await client.end();
    expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain(
      "Index Only Scan using spend_logs_of_key",
    );
  } finally {
    await postgres.stop();
  }
});
