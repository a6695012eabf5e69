import { forbidden, notFound } from "../../../contract/errors.ts";
import { type Principal, standsForUser } from "../../../contract/principal.ts";
import type { EntityStore } from "../records/entity-store.ts";
import type { MembershipRow } from "../records/entity-tables.ts";
import type { ManagementRole, Reach, RoleRow } from "../roles.ts";
import { MAX_LIST } from "./paging.ts";

/** What somebody wants to see or to change, as far as it decides who may. */
export interface Target {
  /** What belongs to several is for those who administer them all. */
  readonly organizationIds?: readonly (string | null | undefined)[];
  readonly teamId?: string | null | undefined;
  readonly userId?: string | null | undefined;
  readonly keyHash?: string | undefined;
}

/** What somebody may see of a list. */
export interface ListScope {
  readonly organizationIds: readonly string[];
  readonly teamIds: readonly string[];
  readonly userId: string | undefined;
  readonly keyHash: string;
  /** What the user's keys must belong to, where the key that asks is bound itself. */
  readonly bound: Bound;
}

/** What the key that asks belongs to: it acts for its user within that alone. `null` is what belongs to none. */
export interface Bound {
  readonly teamId?: string | null | undefined;
  readonly organizationId?: string | null | undefined;
}

/** Whoever asks for a management route, with what they administer: the one place where roles are checked. */
export class Actor {
  readonly principal: Principal;
  readonly #row: RoleRow;
  /** The route that it asks for. */
  readonly path: string;
  readonly #reaches: ReadonlySet<Reach>;
  /** Organizations and teams that it administers, and teams that it is in. */
  readonly organizationIds: readonly string[];
  readonly teamIds: readonly string[];
  readonly memberOf: readonly string[];
  /** Teams whose members may do this. */
  readonly #permittedTeams: readonly string[];
  readonly #bound: Bound;

  private constructor(
    principal: Principal,
    row: RoleRow,
    path: string,
    of: { organizationIds: string[]; teamIds: string[]; memberOf: string[]; permitted: string[] },
  ) {
    this.principal = principal;
    this.#row = row;
    this.path = path;
    this.#bound = boundOf(principal);
    this.organizationIds = of.organizationIds;
    this.teamIds = of.teamIds;
    this.memberOf = of.memberOf;
    this.#permittedTeams = row.byMemberPermission === true ? of.permitted : [];
    this.#reaches = new Set(this.#roles().flatMap((role) => row[role] ?? []));
  }

  /**
   * Looks up what the caller administers: with a key of a team or an organization, within that alone. Others make such
   * keys for a user, and must not become what the user is elsewhere.
   * @throws GatewayError 403 where the route is for none of its roles
   */
  static async of(principal: Principal, row: RoleRow, path: string, entities: EntityStore): Promise<Actor> {
    const { userId } = principal;
    const memberships =
      userId === undefined || principal.isMaster ? [] : await membershipsWithin(entities, principal);
    const of = (kind: string, roles?: string) =>
      memberships
        .filter((each) => each.kind === kind && (roles === undefined || each.role === roles))
        .map((each) => each.parent_id);
    const memberOf = [
      ...new Set([...of("team"), ...(principal.teamId === undefined ? [] : [principal.teamId])]),
    ];
    const permitted = row.byMemberPermission === true ? await entities.teamsPermitting(memberOf, path) : [];
    const actor = new Actor(principal, row, path, {
      organizationIds: of("organization", "org_admin"),
      teamIds: of("team", "admin"),
      memberOf,
      permitted,
    });
    if (actor.#reaches.size > 0 || actor.#permittedTeams.length > 0) return actor;
    throw forbidden(`The role of this api key may not ask for ${path}`);
  }

  get isProxyAdmin(): boolean {
    return this.principal.isMaster || this.principal.role === "proxy_admin";
  }

  /** Whether the key that asks acts for its user within something alone. */
  get isBound(): boolean {
    return this.#bound.teamId !== undefined || this.#bound.organizationId !== undefined;
  }

  /** Whether it sees or changes everything by this route. */
  get reachesAll(): boolean {
    return this.#reaches.has("all");
  }

  /** Whether a team is one that the caller is in, or everything is within reach. */
  sees(teamId: string): boolean {
    return this.reachesAll || this.memberOf.includes(teamId);
  }

  /** Whether the team's `team_member_permissions` let its members do this. */
  permitsTeam(teamId: string): boolean {
    return this.#permittedTeams.includes(teamId);
  }

  /** Whether a target is within reach because of what it belongs to, and not only because it is the caller's own. */
  administers({ organizationIds = [], teamId }: Target): boolean {
    if (this.reachesAll) return true;
    const named = organizationIds.filter((id) => id != null);
    return (
      (this.#reaches.has("organization") &&
        named.length > 0 &&
        named.every((id) => this.organizationIds.includes(id))) ||
      (this.#reaches.has("team") && teamId != null && this.teamIds.includes(teamId))
    );
  }

  reaches(target: Target): boolean {
    const { teamId, userId, keyHash } = target;
    if (this.administers(target)) return true;
    if (teamId != null && this.#permittedTeams.includes(teamId)) return true;
    if (this.#reaches.has("member") && teamId != null && this.memberOf.includes(teamId)) return true;
    if (!this.#reaches.has("own")) return false;
    if (keyHash === this.principal.keyHash) return true;
    if (userId == null || userId !== this.principal.userId) return false;
    return keyHash === undefined ? standsForUser(this.principal) : this.#isWithinBound(target);
  }

  /** @throws GatewayError 404 outside of its reach, as if it were not there */
  require(target: Target, missing: string): void {
    if (!this.reaches(target)) throw notFound(missing);
  }

  /** @throws GatewayError 403 outside of its reach */
  forbid(target: Target, what: string): void {
    if (!this.reaches(target)) throw forbidden(`This api key may not ${what} (${this.path})`);
  }

  /** What it may see of a list; absent for those who see all. */
  get scope(): ListScope | undefined {
    if (this.reachesAll) return undefined;
    const teams = this.#reaches.has("team") ? this.teamIds : [];
    const more = this.#reaches.has("member") ? this.memberOf : [];
    return {
      organizationIds: this.#reaches.has("organization") ? this.organizationIds : [],
      teamIds: [...new Set([...teams, ...more, ...this.#permittedTeams])],
      userId: this.#reaches.has("own") ? this.principal.userId : undefined,
      keyHash: this.#reaches.has("own") ? this.principal.keyHash : "",
      bound: this.#bound,
    };
  }

  #isWithinBound({ teamId, organizationIds = [] }: Target): boolean {
    const { teamId: team, organizationId: organization } = this.#bound;
    if (team === null) return teamId == null && organizationIds.every((id) => id == null);
    if (team !== undefined) return teamId === team;
    return organization == null || organizationIds.includes(organization);
  }

  #roles(): ManagementRole[] {
    const { role } = this.principal;
    if (this.isProxyAdmin) return ["proxy_admin"];
    const roles: ManagementRole[] = [];
    if (role === "proxy_admin_viewer") roles.push(role);
    else roles.push(role === "internal_user" ? role : "internal_user_viewer");
    // A viewer looks at what it would administer.
    const views = role === "internal_user_viewer" || role === "proxy_admin_viewer";
    const isForViewers =
      this.#row.internal_user_viewer !== undefined || this.#row.proxy_admin_viewer !== undefined;
    if (views && !isForViewers) return roles;
    if (this.organizationIds.length > 0) roles.push("org_admin");
    if (this.teamIds.length > 0) roles.push("team_admin");
    return roles;
  }
}

function boundOf({ isMaster, teamId, organizationId, isHeldByOthers }: Principal): Bound {
  if (isMaster) return {};
  if (teamId !== undefined) return { teamId };
  // Whoever administers a user in its organization has no say over what it is in teams of others.
  if (organizationId === undefined && isHeldByOthers === true) return { teamId: null, organizationId: null };
  return { organizationId };
}

/** The memberships of a key's user that count for this key. */
async function membershipsWithin(entities: EntityStore, principal: Principal): Promise<MembershipRow[]> {
  const all = await entities.membershipsOf(principal.userId!);
  const { teamId, organizationId } = boundOf(principal);
  if (teamId === null || organizationId === null) return [];
  if (teamId !== undefined) return all.filter((each) => each.kind === "team" && each.parent_id === teamId);
  if (organizationId === undefined) return all;
  const ids = all.filter(({ kind }) => kind === "team").map((each) => each.parent_id);
  const teams = await entities.list("team", { ids, organizationIds: [organizationId] }, 0, MAX_LIST);
  const within = new Set([organizationId, ...teams.rows.map(({ id }) => id)]);
  return all.filter((each) => within.has(each.parent_id));
}
