import type { Session } from "./types.ts";

/** What something belongs to, as far as that decides who may change it. */
interface Belonging {
  /** What belongs to several is for those who administer them all. */
  readonly organizationIds?: readonly (string | null | undefined)[];
  readonly teamId?: string | null;
  readonly userId?: string | null;
  readonly keyHash?: string;
}

/**
 * Whether whoever is signed in may ask for a route, for something at all or for this. The gateway decides; the console shows
 * no button that would be refused.
 */
export function mayDo({ may }: Session, route: Route, what?: Belonging): boolean {
  const reach = may[route];
  if (reach === undefined) return false;
  if (reach.all || what === undefined) return true;
  const { organizationIds = [], teamId, userId, keyHash } = what;
  const named = organizationIds.filter((id) => id != null);
  return (
    (named.length > 0 && named.every((id) => reach.organizations.includes(id))) ||
    (teamId != null && reach.teams.includes(teamId)) ||
    (userId != null && userId === reach.user) ||
    (keyHash !== undefined && keyHash === reach.key)
  );
}

/** Routes of whose roles the session tells. */
export type Route =
  | "POST /key/generate"
  | "POST /key/update"
  | "POST /key/block"
  | "POST /key/regenerate"
  | "POST /key/delete"
  | "POST /team/new"
  | "POST /team/update"
  | "POST /team/block"
  | "POST /team/delete"
  | "POST /team/member_add"
  | "GET /user/list"
  | "POST /user/new"
  | "POST /user/update"
  | "POST /user/delete"
  | "GET /budget/list"
  | "POST /budget/new"
  | "POST /model/new"
  | "GET /ui/configuration"
  | "GET /audit";
