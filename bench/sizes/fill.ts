import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { findPostgres } from "../../packages/gateway/test/support/postgres.ts";
import type { Rows } from "./rows.ts";

/** Rows between two commits, and between two words on the terminal. */
const AT_ONCE = 50_000;

/** Where the rows go, behind every trigger, as if an earlier version had written them. */
export type Fill = (rows: Rows) => Promise<void>;

/** Says how far something is, on one line of the terminal. */
export function tellProgress(text: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${text}` : `${text}\n`);
}

/** By COPY; indexes are made when the rows are there. */
export function fillPostgres(url: string): Fill {
  return async ({ table, columns, count, rows }) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      const indexes = await client.query<{ name: string; definition: string }>(
        `select indexname as name, indexdef as definition from pg_indexes where tablename = $1
         and indexname not in (select conname from pg_constraint where conrelid = $1::regclass)`,
        [table],
      );
      const isLarge = count > AT_ONCE;
      if (isLarge) for (const { name } of indexes.rows) await client.query(`drop index "${name}"`);
      await copy(url, { table, columns, count, rows });
      if (isLarge)
        for (const { name, definition } of indexes.rows) {
          tellProgress(`${table}: index ${name}`);
          await client.query(definition);
        }
      tellProgress(`${table}: vacuum`);
      await client.query(`vacuum (analyze) ${table}`);
    } finally {
      await client.end();
    }
  };
}

async function copy(url: string, { table, columns, count, rows }: Rows): Promise<void> {
  const statement = `\\copy ${table} (${columns.join(",")}) from stdin`;
  const psql = spawn(
    join(findPostgres()!, "psql"),
    [
      "-q",
      "-v",
      "ON_ERROR_STOP=1",
      "-d",
      url,
      "-c",
      "set session_replication_role = replica",
      "-c",
      statement,
    ],
    { stdio: ["pipe", "inherit", "inherit"] },
  );
  const ended = once(psql, "exit");
  let done = 0;
  let text = "";
  for (const row of rows) {
    text += `${row.map((cell) => (cell === null ? "\\N" : String(cell))).join("\t")}\n`;
    done += 1;
    if (done % 1000 === 0 && !psql.stdin.write(text.slice(0))) await once(psql.stdin, "drain");
    if (done % 1000 === 0) text = "";
    if (done % (10 * AT_ONCE) === 0) tellProgress(`${table}: ${done} of ${count} rows`);
  }
  psql.stdin.end(text);
  const [code] = await ended;
  if (code !== 0) throw new Error(`psql ended with ${code}`);
}

/** By many rows in one transaction. */
export function fillSqlite(file: string): Fill {
  return async ({ table, columns, count, rows }) => {
    const database = new DatabaseSync(file);
    try {
      database.exec("pragma synchronous = off; pragma cache_size = -500000");
      const triggers = database
        .prepare("select name, sql from sqlite_master where type = 'trigger' and tbl_name = ?")
        .all(table);
      for (const { name } of triggers) database.exec(`drop trigger "${name}"`);
      const insert = database.prepare(
        `insert into ${table} (${columns.join(",")}) values (${columns.map(() => "?").join(",")})`,
      );
      let done = 0;
      database.exec("begin");
      for (const row of rows) {
        insert.run(...row);
        done += 1;
        if (done % AT_ONCE > 0) continue;
        database.exec("commit; begin");
        tellProgress(`${table}: ${done} of ${count} rows`);
      }
      database.exec("commit");
      for (const { sql } of triggers) database.exec(String(sql));
      database.exec("analyze");
    } finally {
      database.close();
    }
  };
}
