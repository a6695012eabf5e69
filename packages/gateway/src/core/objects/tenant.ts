import { keyOwnerName, ownerName } from "../../contract/owner-name.ts";
import { type Principal, standsForUser } from "../../contract/principal.ts";

/** What an object belongs to: the widest group the key is in, or the one that the configuration names. */
export type OwnershipScope = "auto" | "key" | "user" | "team";

/**
 * The tenant that owns what this principal creates: its team, else its user, else the key itself
 * (`auto`), or the one asked for where the key has it. One that was deleted leaves nothing to whoever is made under its
 * id later.
 */
export function tenantOf(principal: Principal, scope: OwnershipScope = "auto"): string {
  const { teamId, userId } = principal;
  if (teamId !== undefined && (scope === "auto" || scope === "team"))
    return ownerName(principal, "team", teamId);
  if (userId !== undefined && scope !== "key" && standsForUser(principal))
    return ownerName(principal, "user", userId);
  return keyOwnerName(principal);
}

/** Whether the principal may see objects of every tenant. */
export function seesEveryTenant(principal: Principal): boolean {
  return principal.isMaster || principal.role === "proxy_admin";
}
