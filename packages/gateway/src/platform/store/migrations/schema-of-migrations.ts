import { Kysely, sql } from "kysely";
import { NodeSqliteDialect } from "../node-sqlite-dialect.ts";
import { migrate } from "./migrate.ts";

/** When a migration was made, as the migrator writes it. */
const NOW = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";

/** Statements that make of an empty SQLite database what all migrations make of it, the migrator's own tables included. */
export async function schemaOfMigrations(): Promise<string> {
  const db = new Kysely<unknown>({ dialect: new NodeSqliteDialect(":memory:") });
  try {
    await migrate(db);
    const { rows: made } = await sql<{ type: string; name: string; statement: string }>`
      select type, name, sql as statement from sqlite_master where sql is not null order by rowid`.execute(
      db,
    );
    const statements = made.map(({ statement }) => statement);
    for (const { type, name } of made) {
      if (type !== "table") continue;
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db);
      statements.push(...rows.map((row) => insertOf(name, row)));
    }
    return `${statements.join(";\n")};\n`;
  } finally {
    await db.destroy();
  }
}

function insertOf(table: string, row: Readonly<Record<string, unknown>>): string {
  const values = Object.entries(row).map(([column, value]) =>
    table === "kysely_migration" && column === "timestamp" ? NOW : literal(value),
  );
  return `insert into ${table} (${Object.keys(row).join(", ")}) values (${values.join(", ")})`;
}

function literal(value: unknown): string {
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
}
