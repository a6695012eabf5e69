import type { JsonObject } from "../../contract/json.ts";
import type { KeyLimits } from "../../contract/principal.ts";
import { budgetWindow } from "../ledger/budget-window.ts";
import { settingsObject } from "./entities.ts";
import { ownerOf, ownerOfMember } from "./entity-store.ts";
import type { EntityRow, MembershipRow } from "./entity-tables.ts";
import type { KeyManagement } from "./key-management.ts";
import { type LimitSettings, limitsOf } from "./limits-of.ts";

/** What members have spent in their team, in US dollars, in their order. */
export function spendOfMembers(parts: KeyManagement, rows: readonly MembershipRow[]): Promise<number[]> {
  return spendOf(parts, rows.map(ownerOfMember));
}

/** Entities as callers see them, with what calls under them have cost. */
export async function withSpend(
  parts: KeyManagement,
  rows: readonly EntityRow[],
  objectOf: (row: EntityRow) => JsonObject | Promise<JsonObject>,
): Promise<JsonObject[]> {
  const [objects, spend] = await Promise.all([
    Promise.all(rows.map(objectOf)),
    spendOf(parts, rows.map(ownerOf)),
  ]);
  const rolledOver = await Promise.all(
    rows.map((row) => rolledOverTo(parts, ownerOf(row), limitsOf(settingsObject(row) as LimitSettings))),
  );
  return objects.map((object, index) => ({ ...object, ...rolledOver[index], spend: spend[index]! }));
}

/** How much the window that runs has of the last one, as callers see it; nothing where nothing may roll over. */
export async function rolledOverTo(
  { rollovers, timezone }: Pick<KeyManagement, "rollovers" | "timezone">,
  owner: string,
  limits: KeyLimits,
): Promise<JsonObject> {
  if (limits.maxRollover === undefined) return {};
  const window = budgetWindow(limits, Date.now(), timezone());
  return { rolled_over: await rollovers.amount({ owner, limits, window }) };
}

async function spendOf({ ledger, spend }: KeyManagement, owners: readonly string[]): Promise<number[]> {
  await ledger.flush();
  const sums = await spend.spendOfScopes(owners);
  return owners.map((owner) => sums.get(owner) ?? 0);
}
