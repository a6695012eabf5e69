import { GatewayError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Principal } from "../../contract/principal.ts";
import { Actor } from "../../core/auth/management/actor.ts";
import type { KeyManagement } from "../../core/auth/management/key-management.ts";
import { ownKeyProblem } from "../../core/auth/management/key-rights.ts";
import { ROLE_TABLE } from "../../core/auth/roles.ts";

/** What the console has pages and buttons for, as far as roles decide who has them. */
const OFFERED = [
  "POST /key/generate",
  "POST /key/update",
  "POST /key/block",
  "POST /key/regenerate",
  "POST /key/delete",
  "POST /team/new",
  "POST /team/update",
  "POST /team/block",
  "POST /team/delete",
  "POST /team/member_add",
  "GET /user/list",
  "POST /user/new",
  "POST /user/update",
  "POST /user/delete",
  "GET /budget/list",
  "POST /budget/new",
  "POST /model/new",
  "GET /ui/configuration",
  "GET /audit",
] as const;

/**
 * What somebody may do at a console, by the table of roles: to each route what it reaches; routes that would be refused are
 * left out, and so are all where nothing is stored.
 */
export async function standingOf(
  principal: Principal,
  parts: KeyManagement | undefined,
): Promise<JsonObject> {
  if (parts === undefined) return {};
  const each = await Promise.all(
    OFFERED.map(async (route) => [route, await reachOf(route, principal, parts)] as const),
  );
  return Object.fromEntries(each.filter(([, reach]) => reach !== undefined));
}

async function reachOf(
  route: (typeof OFFERED)[number],
  principal: Principal,
  parts: KeyManagement,
): Promise<JsonObject | undefined> {
  // Models are for those alone who administer, so they have no row.
  const row = ROLE_TABLE[route] ?? { proxy_admin: ["all"] };
  const actor = await Actor.of(principal, row, route.split(" ")[1]!, parts.entities).catch(
    (error: unknown) => {
      if (error instanceof GatewayError && error.status === 403) return undefined;
      throw error;
    },
  );
  if (actor === undefined) return undefined;
  const { scope } = actor;
  const nothing = { organizations: [], teams: [], user: null, key: null };
  if (scope === undefined) return { all: true, ...nothing };
  const { organizationIds, teamIds, userId, keyHash } = scope;
  const administers = organizationIds.length > 0 || actor.teamIds.length > 0;
  if (route === "POST /key/generate" && !administers && !(await makesOwnKeys(principal, parts)))
    return undefined;
  return {
    all: false,
    organizations: organizationIds,
    teams: [...new Set([...teamIds, ...(await parts.entities.teamsOf(organizationIds))])],
    user: userId ?? null,
    key: keyHash === "" ? null : keyHash,
  };
}

async function makesOwnKeys(principal: Principal, { keys, entities }: KeyManagement): Promise<boolean> {
  const { userId, keyHash } = principal;
  const user = userId === undefined ? undefined : await entities.find("user", userId);
  return ownKeyProblem(principal, await keys.find(keyHash), user !== undefined) === undefined;
}
