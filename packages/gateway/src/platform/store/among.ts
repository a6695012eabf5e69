import { type SqlBool, sql } from "kysely";
import type { Store } from "./schema.ts";

/**
 * Whether a column has one of many values, as one parameter: statements with thousands of them take longer to read than to
 * run, and both databases end at some number.
 */
export function among({ kind }: Pick<Store, "kind">, column: string, values: readonly string[]) {
  return kind === "postgres"
    ? sql<SqlBool>`${sql.ref(column)} = any(${values}::text[])`
    : sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`;
}
