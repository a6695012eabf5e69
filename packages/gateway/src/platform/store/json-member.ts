import { type Expression, type SqlBool, sql } from "kysely";
import type { Store } from "./schema.ts";

/**
 * Escapes that PostgreSQL's JSON does not take although they are JSON: NUL, and halves of pairs of surrogates. A slash in their
 * place is JSON also behind a backslash, where they are no escape.
 */
const UNREADABLE = "\\\\u(0000|d[89a-f][0-9a-f]{2})";

/**
 * Whether a member of a column's JSON text is this text or flag. The same characters elsewhere in the JSON, such as in
 * metadata that somebody else wrote, are none.
 * @param path names of members, of letters and underscores
 */
export function jsonMemberIs(
  { kind }: Pick<Store, "kind">,
  column: string,
  path: readonly [string, ...string[]],
  value: string | true,
): Expression<SqlBool> {
  const text = String(value);
  // What a database cannot hold nobody has.
  if (text.includes("\0") || !text.isWellFormed()) return sql<SqlBool>`1 = 0`;
  const json = sql.ref(column);
  const member = JSON.stringify({ [path.at(-1)!]: value }).slice(1, -1);
  // Most rows lack the characters, and need not be read as JSON.
  return kind === "postgres"
    ? sql<SqlBool>`case when position(${member} in ${json}) > 0 then coalesce(
        regexp_replace(${json}, ${UNREADABLE}, '/', 'g')::json #>> ${[...path]}::text[] = ${text}, false) else false end`
    : sql<SqlBool>`case when instr(${json}, ${member}) > 0 then coalesce(
        json_extract(${json}, ${`$.${path.join(".")}`}) = ${value === true ? 1 : text}, 0) else 0 end`;
}

/** Whether a column's JSON text has no such member. @param path names of members, of letters and underscores */
export function jsonMemberIsMissing(
  { kind }: Pick<Store, "kind">,
  column: string,
  path: readonly [string, ...string[]],
): Expression<SqlBool> {
  const json = sql.ref(column);
  return kind === "postgres"
    ? sql<SqlBool>`regexp_replace(${json}, ${UNREADABLE}, '/', 'g')::json #> ${[...path]}::text[] is null`
    : sql<SqlBool>`json_type(${json}, ${`$.${path.join(".")}`}) is null`;
}
