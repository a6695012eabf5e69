import type { JsonObject } from "../../contract/json.ts";
import { ownerOf, ownerOfMember } from "./entity-store.ts";
import type { EntityRow, MembershipRow } from "./entity-tables.ts";
import type { KeyManagement } from "./key-management.ts";

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
  return objects.map((object, index) => ({ ...object, spend: spend[index]! }));
}

async function spendOf({ ledger, spend }: KeyManagement, owners: readonly string[]): Promise<number[]> {
  await ledger.flush();
  const sums = await spend.spendOfScopes(owners);
  return owners.map((owner) => sums.get(owner) ?? 0);
}
