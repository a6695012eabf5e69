import { checkQuery } from "../../contract/check.ts";
import type { JsonObject } from "../../contract/json.ts";
import { keysWithSpend, withSpend } from "../../core/auth/management/entity-spend.ts";
import { keyScopeOf } from "../../core/auth/management/key-scope.ts";
import type { Managed } from "../../core/auth/management/management.ts";
import { MAX_LIST } from "../../core/auth/management/paging.ts";
import { usersSeen } from "../../core/auth/management/users-seen.ts";
import { entityObject, missing, USER } from "../../core/auth/records/entities.ts";
import { keysQuery, usersQuery } from "./report-queries.ts";

/** LiteLLM's `/spend/keys`: keys with what each has spent, the most first. */
export async function listKeySpend(managed: Managed): Promise<JsonObject[]> {
  const { parts, exchange } = managed;
  const { limit = 1000 } = checkQuery(keysQuery, exchange.query);
  await parts.ledger.flush();
  const within = await keyScopeOf(managed);
  const rows = await parts.keys.listBySpend(within === undefined ? {} : { within }, limit);
  const spent = new Map(rows.map(({ row, spend }) => [row.key_hash, spend]));
  return keysWithSpend(
    parts,
    rows.map(({ row }) => row),
    spent,
  );
}

/** LiteLLM's `/spend/users`: users with what each has spent, the most first. */
export async function listUserSpend(managed: Managed): Promise<JsonObject[]> {
  const { parts, exchange } = managed;
  const { user_id: id } = checkQuery(usersQuery, exchange.query);
  const seen = await usersSeen(managed);
  const ids = id === undefined ? seen : [id].filter((each) => seen?.includes(each) ?? true);
  const { rows } = await parts.entities.list("user", { ids }, 0, MAX_LIST);
  if (id !== undefined && rows.length === 0) throw missing(USER, id);
  const users = await withSpend(parts, rows, (row) => entityObject(USER, row));
  return users.sort((one, other) => Number(other.spend) - Number(one.spend));
}
