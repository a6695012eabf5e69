import type { Client } from "pg";
import { answeringClient } from "../../../platform/store/answering-client.ts";
import { spendColumns } from "../spend-tables.ts";
import { placeOf, valueAt } from "./journaled-row.ts";
import type { SpendSink } from "./spend-sink.ts";

/** Classes of SQLSTATE: data exception, integrity constraint violation, program limit exceeded. */
const REFUSALS: ReadonlySet<string> = new Set(["22", "23", "54"]);

/** The columns that hold no text. */
const types: Readonly<Partial<Record<(typeof spendColumns)[number], string>>> = {
  prompt_tokens: "bigint",
  completion_tokens: "bigint",
  cache_read_tokens: "bigint",
  cache_write_tokens: "bigint",
  spend: "double precision",
  started_at: "bigint",
  ended_at: "bigint",
  first_ms: "bigint",
};

/** A value of a row; the hash of a key that was renewed while the call was under way is the one that it has now. */
function expressionOf(column: (typeof spendColumns)[number], at: number): string {
  const value = `(value->>${placeOf(at)})::${types[column] ?? "text"}`;
  return at === valueAt.keyHash ? `coalesce(key_hash, ${value})` : value;
}

/**
 * One statement, and so one transaction and one way to the server: the rows, and the sums over those that were not there
 * yet, in place of the shares of budgets that were held for them. In the order of their keys, so that two replicas never
 * wait for each other's rows.
 */
const ADD_ROWS = `
with incoming as (
  select distinct on (id) * from (
    select ${spendColumns.map((column, at) => `${expressionOf(column, at)} as ${column}`).join(", ")},
      (value->>${valueAt.windowStart})::bigint as window_start,
      (case when key_hash is null then value->>${valueAt.scopes}
        else replace(value->>${valueAt.scopes}, '"model ' || old_hash || ' ', '"model ' || key_hash || ' ') end)::json as scopes
    from json_array_elements($1::json) as list (value)
    left join renewed_keys on old_hash = value->>${valueAt.keyHash}
  ) as given order by id
), added as (
  insert into spend_logs (${spendColumns.join(", ")})
  select ${spendColumns.join(", ")} from incoming
  on conflict (id) do nothing
  returning id, request_id, call_type, key_hash, spend
), ended as (
  delete from budget_holds hold using added where hold.id = added.id and hold.request_id is null
), kept as (
  delete from budget_holds hold using added
  where hold.request_id = added.request_id and hold.call_type = added.call_type
), further as (
  delete from budget_holds hold using added join incoming using (id), json_array_elements(scopes) as list (scope)
  where hold.id = scope->>2 and hold.request_id is null
), sums as (
  insert into key_spend (key_hash, spend)
  select key_hash, sum(spend) from added where spend <> 0 group by key_hash order by key_hash
  on conflict (key_hash) do update set spend = key_spend.spend + excluded.spend
)
insert into budget_windows (key_hash, window_start, spend)
select owner, start, sum(spend) from (
  select added.key_hash as owner, window_start as start, added.spend from added join incoming using (id)
  where window_start is not null
  union all
  select scope->>0, (scope->>1)::bigint, added.spend from added join incoming using (id),
    json_array_elements(scopes) as list (scope)
) as counted where spend <> 0
group by owner, start order by owner, start
on conflict (key_hash, window_start) do update set spend = budget_windows.spend + excluded.spend`;

/** Rows in the store that replicas share. */
export class PostgresSink implements SpendSink {
  readonly #url: string;
  #class: typeof Client | undefined;
  #client: Client | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  async write(texts: readonly string[]): Promise<void> {
    const client = await this.#connected();
    try {
      await client.query({ name: "add-spend", text: ADD_ROWS, values: [`[${texts.join(",")}]`] });
    } catch (error) {
      if (!this.isRefusal(error)) await this.#drop();
      throw error;
    }
  }

  isRefusal(error: unknown): boolean {
    const { code } = error as { code?: unknown };
    return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && REFUSALS.has(code.slice(0, 2));
  }

  async close(): Promise<void> {
    await this.#drop();
  }

  async #connected(): Promise<Client> {
    if (this.#client !== undefined) return this.#client;
    const connection = { connectionString: this.#url, keepAlive: true, application_name: "portico spend" };
    this.#class ??= await answeringClient(connection);
    const client = new this.#class({
      ...connection,
      connectionTimeoutMillis: 5000,
      statement_timeout: 30_000,
    });
    // Without a listener a connection that the server closes while idle would end the thread.
    client.on("error", () => {
      if (this.#client === client) this.#client = undefined;
    });
    await client.connect();
    this.#client = client;
    return client;
  }

  async #drop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }
}
