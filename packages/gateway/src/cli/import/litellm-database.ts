import type { Client } from "pg";
import type { JsonObject } from "../../contract/json.ts";
import { SetupError } from "../../contract/setup-error.ts";
import { redact } from "../../platform/log/redact.ts";

/** Rows that one query brings. */
const ROWS_AT_ONCE = 250;

/** Members of an address that PostgreSQL's own clients know; Prisma's further ones would be refused by the server. */
const KNOWN_TO_CLIENTS = /^(?:ssl(?:mode|cert|key|rootcert)|host|port|options)$/;

/** The same of a spend log, whose rows are small and many. */
const ROWS_OF_CUT = 1000;

/** Rows of a table from a moment on, in the order of their times, with some of its columns. */
export interface Cut {
  /** Those of them that this version has. */
  readonly columns: readonly string[];
  /** Further things to read, by the column that they need. */
  readonly more: Readonly<Record<string, readonly string[]>>;
  /** A column of times. */
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly from: number;
}

/** Estimates are enough for tables beyond this number of rows. */
const COUNTED_UP_TO = 1_000_000;

/**
 * LiteLLM's database, seen as it was at one moment and never changed: everything runs in one transaction that may only
 * read. Rows come as the JSON that PostgreSQL makes of them, so that versions with other columns need no other query.
 */
export class LiteLlmDatabase {
  readonly #client: Client;
  readonly #schema: string;
  /** Names of LiteLLM's tables with their columns. */
  readonly tables: ReadonlyMap<string, ReadonlySet<string>>;
  #cursors = 0;

  private constructor(client: Client, schema: string, tables: ReadonlyMap<string, ReadonlySet<string>>) {
    this.#client = client;
    this.#schema = schema;
    this.tables = tables;
  }

  /** @throws SetupError when it cannot be read, or has none of LiteLLM's tables */
  static async open(address: string): Promise<LiteLlmDatabase> {
    const { url, schema } = addressOf(address);
    const { default: pg } = await import("pg");
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 10_000,
      application_name: "portico import",
    });
    // Without a listener a connection that the server closes would end the process.
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.query("begin transaction isolation level repeatable read, read only");
      const { rows } = await client.query<{ name: string; columns: string[] }>(
        `select table_name as name, array_agg(column_name::text) as columns
         from information_schema.columns where table_schema = $1 and table_name like 'LiteLLM\\_%' group by 1`,
        [schema],
      );
      const tables = new Map(rows.map(({ name, columns }) => [name, new Set(columns)]));
      if (!tables.has("LiteLLM_VerificationToken"))
        throw new SetupError(
          `the database has no table LiteLLM_VerificationToken in the schema ${schema}; name the database that LiteLLM uses (?schema=NAME for another schema)`,
        );
      return new LiteLlmDatabase(client, schema, tables);
    } catch (error) {
      await client.end().catch(() => undefined);
      if (error instanceof SetupError) throw error;
      const { message, code } = error as Error & { code?: string };
      throw new SetupError(
        `LiteLLM's database cannot be read (${redact(message || String(code))}); check that it runs and that address, user and password are right`,
        { cause: error },
      );
    }
  }

  /** How many rows a table has: an estimate where there are very many. */
  async count(table: string): Promise<number> {
    const estimate = await this.#client.query<{ rows: number }>(
      "select reltuples::float8 as rows from pg_class where oid = $1::regclass",
      [this.#named(table)],
    );
    const guessed = estimate.rows[0]?.rows ?? 0;
    if (guessed > COUNTED_UP_TO) return Math.round(guessed);
    const counted = await this.#client.query<{ rows: string }>(
      `select count(*) as rows from ${this.#named(table)}`,
    );
    return Number(counted.rows[0]?.rows);
  }

  /** All rows of a table, some at a time; none where this version has no such table. */
  async *rows(table: string, cut?: Cut): AsyncGenerator<JsonObject[]> {
    if (!this.tables.has(table)) return;
    this.#cursors += 1;
    const cursor = `portico_${this.#cursors}`;
    const from = cut === undefined ? this.#named(table) : `(${this.#cutOf(table, cut)})`;
    await this.#client.query(
      `declare ${cursor} no scroll cursor for select to_json(t) as row from ${from} t`,
    );
    const atOnce = cut === undefined ? ROWS_AT_ONCE : ROWS_OF_CUT;
    for (;;) {
      const { rows } = await this.#client.query<{ row: JsonObject }>(`fetch ${atOnce} from ${cursor}`);
      if (rows.length > 0) yield rows.map(({ row }) => row);
      if (rows.length < atOnce) break;
    }
    await this.#client.query(`close ${cursor}`);
  }

  /** The rows of a table whose column has one of some values. */
  async find(table: string, column: string, values: readonly unknown[]): Promise<JsonObject[]> {
    if (values.length === 0 || this.tables.get(table)?.has(column) !== true) return [];
    const { rows } = await this.#client.query<{ row: JsonObject }>(
      `select to_json(t) as row from ${this.#named(table)} t where ${quoted(column)}::text = any($1::text[])`,
      [values.map(String)],
    );
    return rows.map(({ row }) => row);
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }

  #cutOf(table: string, { columns, more, by, from }: Cut): string {
    const has = (name: string): boolean => this.tables.get(table)?.has(name) === true;
    const read = [
      ...columns.filter(has).map(quoted),
      ...Object.entries(more).flatMap(([name, expressions]) => (has(name) ? expressions : [])),
    ];
    // Prisma's times are UTC without saying so.
    const after = new Date(from).toISOString().replace("Z", "");
    return `select ${read.join(", ")} from ${this.#named(table)} where ${quoted(by)} >= '${after}'::timestamp
      order by ${quoted(by)}`;
  }

  #named(table: string): string {
    return `${quoted(this.#schema)}.${quoted(table)}`;
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** @throws SetupError for an address that is none of PostgreSQL's */
function addressOf(address: string): { url: string; schema: string } {
  if (!/^postgres(ql)?:\/\//.test(address) || !URL.canParse(address))
    throw new SetupError("LiteLLM's database is named by an address that begins with postgres://");
  const url = new URL(address);
  const schema = url.searchParams.get("schema") ?? "public";
  for (const name of [...url.searchParams.keys()])
    if (!KNOWN_TO_CLIENTS.test(name)) url.searchParams.delete(name);
  return { url: url.href, schema };
}
