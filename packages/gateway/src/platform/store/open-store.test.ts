import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrations } from "./migrations/migrations.ts";
import { schemaOfMigrations } from "./migrations/schema-of-migrations.ts";
import { NodeSqliteDialect } from "./node-sqlite-dialect.ts";
import { openSqliteStore } from "./open-store.ts";

const names = Object.keys(migrations).sort();

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "portico-store-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What the database says to one statement. */
function ask(statement: string): unknown[] {
  const database = new DatabaseSync(join(folder, "portico.sqlite"));
  try {
    return database.prepare(statement).all();
  } finally {
    database.close();
  }
}

const migrated = (): unknown[] =>
  (ask("select name from kysely_migration order by name") as { name: string }[]).map(({ name }) => name);

describe("a store that is opened again", () => {
  it("is not migrated when it has this version's migrations", async () => {
    await (await openSqliteStore(folder)).close();
    // The migrator would make it anew.
    ask("drop table kysely_migration_lock");
    await (await openSqliteStore(folder)).close();
    expect(ask("select name from sqlite_master where name = 'kysely_migration_lock'")).toEqual([]);
    expect(migrated()).toEqual(names);
  });

  it("gets the migrations that it lacks", async () => {
    const dialect = new NodeSqliteDialect(join(folder, "portico.sqlite"));
    const db = new Kysely<unknown>({ dialect });
    const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
    expect((await migrator.migrateTo(names.at(-2)!)).error).toBe(undefined);
    await db.destroy();
    expect(migrated()).toEqual(names.slice(0, -1));
    await (await openSqliteStore(folder)).close();
    expect(migrated()).toEqual(names);
  });

  it("is refused when a later version has migrated it", async () => {
    await (await openSqliteStore(folder)).close();
    ask("insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01T00:00:00.000Z')");
    await expect(openSqliteStore(folder)).rejects.toThrow("9999-later");
  });
});

/** Has made all tables, and commits them a little later. */
const OTHER = `
const { parentPort, workerData } = require("node:worker_threads");
const { DatabaseSync } = require("node:sqlite");
const database = new DatabaseSync(workerData.file);
database.exec("pragma journal_mode = wal; begin immediate");
database.exec(workerData.schema);
parentPort.postMessage("made");
setTimeout(() => database.exec("commit"), 100);
`;

describe("a store that is made of what the migrations make", () => {
  /** Whatever is in the database but the moments of its migrations. */
  function everything(): Record<string, unknown> {
    const made = ask("select type, name, tbl_name, sql from sqlite_master order by name") as {
      type: string;
      name: string;
    }[];
    const tables = made.filter(({ type }) => type === "table").map(({ name }) => name);
    return {
      made,
      rows: tables.map((name) => ask(`select *, null as timestamp from "${name}"`)),
      modes: ask("pragma journal_mode"),
    };
  }

  it("is the same as one that is migrated", async () => {
    await (await openSqliteStore(folder)).close();
    const expected = everything();
    rmSync(folder, { recursive: true });
    await (await openSqliteStore(folder, await schemaOfMigrations())).close();
    expect(everything()).toEqual(expected);
    for (const { timestamp } of ask("select timestamp from kysely_migration") as { timestamp: string }[])
      expect(new Date(timestamp).toISOString()).toBe(timestamp);
    await (await openSqliteStore(folder)).close();
    expect(everything()).toEqual(expected);
  });

  it("is made once where another process makes it at the same moment", async () => {
    const schema = await schemaOfMigrations();
    const other = new Worker(OTHER, {
      eval: true,
      workerData: { file: join(folder, "portico.sqlite"), schema },
    });
    await once(other, "message");
    await (await openSqliteStore(folder, schema)).close();
    expect(migrated()).toEqual(names);
    await other.terminate();
  });

  it("is none where there are tables already", async () => {
    ask("create table notes (text)");
    await (await openSqliteStore(folder, "create table unwanted (text)")).close();
    expect(ask("select name from sqlite_master where name in ('notes', 'unwanted')")).toHaveLength(1);
    expect(migrated()).toEqual(names);
  });
});
