import type { KeyScope } from "../records/key-store.ts";
import type { Managed } from "./management.ts";

/** The keys that the caller may see; all where this is absent. */
export async function keyScopeOf({ actor, parts }: Managed): Promise<KeyScope | undefined> {
  const { scope } = actor;
  if (scope === undefined) return undefined;
  const { organizationIds } = scope;
  const teams = await parts.entities.teamsOf(organizationIds);
  return { ...scope, teamIds: [...scope.teamIds, ...teams] };
}
