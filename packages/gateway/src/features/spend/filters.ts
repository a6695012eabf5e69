import { sql } from "kysely";
import { invalidRequest } from "../../contract/errors.ts";
import { text } from "../../contract/schema.ts";
import type { Managed } from "../../core/auth/management/management.ts";
import { sha256 } from "../../util/sha256.ts";
import type { Condition } from "./visible-rows.ts";

/** Names that one query may list. */
const MAX_NAMES = 1000;

/** A parameter with names, commas between them. */
export const names = (about: string) => text(about, { maxLength: 8000 });

/** The hash of a key, or the hash itself where that was given. */
export function hashOf(key: string): string {
  return /^[0-9a-f]{64}$/.test(key) ? key : sha256(key);
}

/** Names of a parameter that has commas between them; `undefined` where it is absent. */
export function namesIn(value: string | undefined, param: string): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const listed = value.split(",").map((name) => name.trim());
  if (listed.length > MAX_NAMES) throw invalidRequest(`${param}: expected at most ${MAX_NAMES} names`, param);
  return listed;
}

/** Rows that have one of these tags, or any where none is named. */
export function taggedRows({ parts }: Managed, tags: readonly string[] | undefined): Condition {
  const { kind } = parts.entities.store;
  if (tags === undefined) return sql`spend_logs.tags is not null`;
  const each =
    kind === "postgres"
      ? sql`jsonb_array_elements_text(spend_logs.tags::jsonb) as own(value)`
      : sql`json_each(spend_logs.tags) as own`;
  return sql`exists (select 1 from ${each} where own.value in (${sql.join(tags)}))`;
}
