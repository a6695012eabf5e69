import type { KeyScope } from "./key-store.ts";
import type { Managed } from "./management.ts";
import { MAX_LIST } from "./paging.ts";

/** The keys that the caller may see; all where this is absent. */
export async function keyScopeOf({ actor, parts }: Managed): Promise<KeyScope | undefined> {
  const { scope } = actor;
  if (scope === undefined) return undefined;
  const { organizationIds } = scope;
  const teams = await parts.entities.list("team", { organizationIds }, 0, MAX_LIST);
  return { ...scope, teamIds: [...scope.teamIds, ...teams.rows.map(({ id }) => id)] };
}
