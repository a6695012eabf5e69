import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrations } from "./migrations/migrations.ts";
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
