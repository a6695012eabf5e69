import type { TokenSettings } from "../../../platform/config/read/read-tokens.ts";
import { leave, putMember } from "../issue/memberships.ts";
import { changeAtOnce, type KeyManagement } from "../management/key-management.ts";
import type { Change } from "../records/change.ts";
import {
  findEntity,
  insertEntity,
  mergedSettings,
  settingsObject,
  TEAM,
  USER,
  updateEntity,
} from "../records/entities.ts";
import type { EntityRow, MembershipRow } from "../records/entity-tables.ts";
import { newUserSettings } from "../records/named-user.ts";
import type { Identity } from "./claims.ts";

/** Whom a token stands for among users and teams of the gateway. */
export interface Found {
  readonly teamId: string | undefined;
  readonly organizationId: string | undefined;
  /** Why its calls are refused. */
  readonly refusedBy: string | undefined;
}

/** The entities named by a token that exist, and which of them count. */
interface State {
  readonly user: EntityRow | undefined;
  readonly teams: readonly EntityRow[];
  readonly memberships: readonly MembershipRow[];
}

/** Finds users and teams of tokens, and makes those that may be made: with the audit log's rows, as every change. */
export class Provisioning {
  readonly #parts: KeyManagement;
  readonly #settings: TokenSettings;
  readonly #needsTeam: boolean;

  /** @param needsTeam whether somebody is refused whose teams are all unknown */
  constructor(parts: KeyManagement, settings: TokenSettings, needsTeam = true) {
    this.#needsTeam = needsTeam;
    this.#parts = parts;
    this.#settings = settings;
  }

  async find(identity: Identity): Promise<Found> {
    let state = await this.#read(identity);
    if (this.#lacks(identity, state)) {
      const by = identity.userId ?? identity.issuer;
      await changeAtOnce(this.#parts, { by, keyHash: "" }, async (under) => {
        state = await this.#read(identity, under);
        if (this.#lacks(identity, state)) await this.#make(identity, state, under);
      });
      state = await this.#read(identity);
    }
    const [team] = state.teams;
    const organizationId = team?.organization_id ?? identity.organizationId;
    return { teamId: team?.id, organizationId, refusedBy: await this.#refusal(identity, state) };
  }

  async #read({ userId, teamIds, teamAlias }: Identity, under?: Change): Promise<State> {
    const { entitiesOfCalls: entities } = this.#parts;
    const db = under?.db ?? entities.store.db;
    const [user, ofUser, ...found] = await Promise.all([
      userId === undefined ? undefined : entities.find("user", userId, db),
      userId === undefined ? [] : entities.membershipsOf(userId, db),
      ...teamIds.map((id) => entities.find("team", id, db)),
    ]);
    const teams = found.filter((row) => row !== undefined);
    if (teamAlias !== undefined) {
      const named = db.selectFrom("entities").selectAll().where("kind", "=", "team");
      const rows = await named.where("alias", "=", teamAlias).limit(2).execute();
      // An alias need not be one team's alone, and then says nothing.
      if (rows.length === 1) teams.push(rows[0]!);
    }
    return { user, teams, memberships: ofUser.filter(({ kind }) => kind === "team") };
  }

  /** Whether something is to be made or changed. */
  #lacks(identity: Identity, { user, teams, memberships }: State): boolean {
    const { userIdUpsert, teamIdUpsert, syncUserRoleAndTeams: syncs } = this.#settings;
    if (identity.role === "proxy_admin" && !userIdUpsert) return false;
    if (teams.length === 0 && teamIdUpsert && identity.teamIds.length > 0) return true;
    if (identity.userId === undefined) return false;
    if (user === undefined) return userIdUpsert;
    if (teams[0] !== undefined && !isMember(memberships, teams[0])) return true;
    if (!syncs) return false;
    const hasOthers = memberships.some(({ parent_id }) => teams.every(({ id }) => id !== parent_id));
    const role = settingsObject(user).user_role;
    return (
      hasOthers ||
      teams.some((team) => !isMember(memberships, team)) ||
      (identity.userRole !== undefined && identity.userRole !== role)
    );
  }

  async #make(identity: Identity, { user, teams, memberships }: State, under: Change): Promise<void> {
    const { userIdUpsert, teamIdUpsert, syncUserRoleAndTeams: syncs } = this.#settings;
    const { userId, email, userRole } = identity;
    const joined = [...teams];
    const [first] = identity.teamIds;
    if (joined.length === 0 && teamIdUpsert && first !== undefined)
      joined.push(
        await insertEntity(under, TEAM, first, {
          organizationId: await this.#organizationOf(identity, under),
          settings: this.#parts.teamDefaults(),
        }),
      );
    if (userId === undefined || (user === undefined && !userIdUpsert)) return;
    if (user === undefined) {
      const isFree =
        email !== undefined && (await this.#parts.entities.findUserByEmail(email, under.db)) === undefined;
      await insertEntity(under, USER, userId, {
        ...(isFree ? { email } : {}),
        settings: newUserSettings(
          userRole === undefined ? {} : { user_role: userRole },
          this.#parts.userDefaults(),
        ),
      });
    } else if (syncs && userRole !== undefined && settingsObject(user).user_role !== userRole)
      await updateEntity(under, USER, userId, (_, stored) => ({
        settings: mergedSettings(stored, { user_role: userRole }),
      }));
    for (const team of syncs ? joined : joined.slice(0, 1))
      if (!isMember(memberships, team)) await putMember(under, TEAM, team, userId, "user");
    if (!syncs) return;
    for (const { parent_id: id } of memberships) {
      const left = joined.some((team) => team.id === id) ? undefined : await findEntity(under, "team", id);
      if (left !== undefined) await leave(this.#parts.issuer, under, TEAM, left, userId);
    }
  }

  async #organizationOf({ organizationId }: Identity, under: Change): Promise<string | undefined> {
    if (organizationId === undefined) return undefined;
    return (await findEntity(under, "organization", organizationId))?.id;
  }

  async #refusal(identity: Identity, { user, teams }: State): Promise<string | undefined> {
    const { userId, teamIds, teamAlias, organizationId, role } = identity;
    if (role === "proxy_admin") return undefined;
    if (userId !== undefined && user === undefined)
      return "The user of this token is unknown to this gateway";
    const needsTeam =
      teamIds.length > 0 || teamAlias !== undefined || this.#settings.enforceTeamBasedModelAccess;
    const [team] = teams;
    if (team === undefined && needsTeam && this.#needsTeam)
      return "The token names no team that this gateway knows";
    if (organizationId === undefined) return undefined;
    if (team?.organization_id != null && team.organization_id !== organizationId)
      return "The team of this token is not of the token's organization";
    const organization = await this.#parts.entitiesOfCalls.find("organization", organizationId);
    return organization === undefined
      ? "The organization of this token is unknown to this gateway"
      : undefined;
  }
}

function isMember(memberships: readonly MembershipRow[], team: EntityRow): boolean {
  return memberships.some(({ parent_id }) => parent_id === team.id);
}
