import { type Expression, type SqlBool, sql } from "kysely";
import { parseJsonObject } from "../../../contract/json.ts";
import { among } from "../../../platform/store/among.ts";
import { countedPage } from "../../../platform/store/counted-page.ts";
import { jsonMemberIs } from "../../../platform/store/json-member.ts";
import type { Store } from "../../../platform/store/schema.ts";
import { LIMIT_NAMES } from "../fields/limits-of.ts";
import { findEntity, findUserByEmail } from "./entities.ts";
import type { EntityKind, EntityRow, MembershipRow } from "./entity-tables.ts";
import type { Level, LevelSettings, Levels } from "./levels.ts";

/** Which entities a list shows. */
export interface EntityFilter {
  readonly ids?: readonly string[] | undefined;
  readonly alias?: string | undefined;
  readonly email?: string | undefined;
  /** A user's. */
  readonly role?: string | undefined;
  readonly organizationIds?: readonly string[] | undefined;
  /** Entities of any of these: for those who may not see all. */
  readonly within?: EntityScope | undefined;
}

/** Entities that somebody may see. */
export interface EntityScope {
  readonly ids: readonly string[];
  readonly organizationIds: readonly string[];
}

/** Which of a key's levels are looked for. */
export interface LevelIds {
  readonly organizationId?: string | null | undefined;
  readonly teamId?: string | null | undefined;
  readonly userId?: string | null | undefined;
  readonly budgetId?: string | null | undefined;
}

/** Organizations, teams, users, customers, budgets, tags, and who is a member where. */
export class EntityStore {
  readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  find(kind: EntityKind, id: string, db = this.store.db): Promise<EntityRow | undefined> {
    return findEntity({ db }, kind, id);
  }

  findUserByEmail(email: string, db = this.store.db): Promise<EntityRow | undefined> {
    return findUserByEmail({ db }, email);
  }

  /** Newest first. */
  list(
    kind: EntityKind,
    filter: EntityFilter,
    offset: number,
    limit: number,
  ): Promise<{ rows: EntityRow[]; total: number }> {
    const { ids, alias, email, role, organizationIds, within } = filter;
    let query = this.store.db.selectFrom("entities").where("kind", "=", kind);
    if (ids !== undefined) query = query.where("id", "in", ids.length === 0 ? [""] : ids);
    if (alias !== undefined) query = query.where("alias", "=", alias);
    if (email !== undefined) query = query.where("email", "=", email.toLowerCase());
    if (role !== undefined) query = query.where(jsonMemberIs(this.store, "settings", ["user_role"], role));
    if (organizationIds !== undefined)
      query = query.where("organization_id", "in", organizationIds.length === 0 ? [""] : organizationIds);
    if (within !== undefined)
      query = query.where(({ or, eb }) =>
        or([
          ...(within.ids.length === 0 ? [] : [eb("id", "in", within.ids)]),
          ...(within.organizationIds.length === 0
            ? []
            : [eb("organization_id", "in", within.organizationIds)]),
        ]),
      );
    return countedPage(query.selectAll().orderBy("created_at", "desc").orderBy("id"), offset, limit);
  }

  /** Those of some teams whose members may do something for keys of the team, by its path. */
  async teamsPermitting(teamIds: readonly string[], path: string): Promise<string[]> {
    if (teamIds.length === 0) return [];
    const { rows } = await this.list("team", { ids: teamIds }, 0, teamIds.length);
    return rows
      .filter((row) => settingsOf(row).team_member_permissions?.includes(path) === true)
      .map((row) => row.id);
  }

  members(kind: MembershipRow["kind"], parentId: string, db = this.store.db): Promise<MembershipRow[]> {
    return db
      .selectFrom("memberships")
      .selectAll()
      .where("kind", "=", kind)
      .where("parent_id", "=", parentId)
      .orderBy("created_at")
      .orderBy("user_id")
      .execute();
  }

  /** The members of many, as `members` has those of one: a row for each parent, because members are many. */
  async membersOfAll(
    kind: MembershipRow["kind"],
    parentIds: readonly string[],
  ): Promise<ReadonlyMap<string, Pick<MembershipRow, "user_id" | "role">[]>> {
    const list = (column: string) =>
      this.store.kind === "postgres"
        ? sql<string>`json_agg(${sql.ref(column)} order by created_at, user_id)::text`
        : sql<string>`json_group_array(${sql.ref(column)} order by created_at, user_id)`;
    const rows = await this.store.db
      .selectFrom("memberships")
      .select(["parent_id", list("user_id").as("users"), list("role").as("roles")])
      .where("kind", "=", kind)
      .where(among(this.store, "parent_id", parentIds))
      .groupBy("parent_id")
      .execute();
    return new Map(
      rows.map(({ parent_id, users, roles }) => {
        const roleOf = JSON.parse(roles) as MembershipRow["role"][];
        const ids = JSON.parse(users) as string[];
        return [parent_id, ids.map((user_id, at) => ({ user_id, role: roleOf[at]! }))];
      }),
    );
  }

  /** What many users are members of. */
  async membershipsOfAll(userIds: readonly string[]): Promise<ReadonlyMap<string, MembershipRow[]>> {
    const memberships = this.store.db.selectFrom("memberships").selectAll();
    const found = memberships.where(among(this.store, "user_id", userIds));
    const rows = await found.orderBy("created_at").orderBy("parent_id").execute();
    return Map.groupBy(rows, (row) => row.user_id);
  }

  /** The teams of organizations. */
  async teamsOf(organizationIds: readonly string[]): Promise<string[]> {
    if (organizationIds.length === 0) return [];
    const teams = this.store.db.selectFrom("entities").select("id").where("kind", "=", "team");
    const rows = await teams.where("organization_id", "in", organizationIds).orderBy("id").execute();
    return rows.map(({ id }) => id);
  }

  /** The users of organizations, but for those who belong to others too. */
  async usersOf(organizationIds: readonly string[]): Promise<string[]> {
    if (organizationIds.length === 0) return [];
    const members = this.store.db.selectFrom("memberships").where("kind", "=", "organization");
    const ofOthers = members.select("user_id").where("parent_id", "not in", organizationIds);
    const rows = await members
      .select("user_id")
      .distinct()
      .where("parent_id", "in", organizationIds)
      .where("user_id", "not in", ofOthers)
      .execute();
    return rows.map(({ user_id }) => user_id);
  }

  membershipsOf(userId: string, db = this.store.db): Promise<MembershipRow[]> {
    return db.selectFrom("memberships").selectAll().where("user_id", "=", userId).execute();
  }

  /** The ids of the organizations that a user is a member of. */
  async organizationsOf(userId: string, db = this.store.db): Promise<string[]> {
    const memberships = await this.membershipsOf(userId, db);
    return memberships.filter(({ kind }) => kind === "organization").map((each) => each.parent_id);
  }

  member(
    kind: MembershipRow["kind"],
    parentId: string,
    userId: string,
    db = this.store.db,
  ): Promise<MembershipRow | undefined> {
    return db
      .selectFrom("memberships")
      .selectAll()
      .where("kind", "=", kind)
      .where("parent_id", "=", parentId)
      .where("user_id", "=", userId)
      .executeTakeFirst();
  }

  /** What stands above a key; nothing is asked for a key that names none of it. */
  async levelsOf({ organizationId, teamId, userId, budgetId }: LevelIds): Promise<Levels> {
    const [team, user, member, budget] = await Promise.all([
      this.level("team", teamId),
      this.level("user", userId),
      teamId == null || userId == null ? undefined : this.#member(teamId, userId),
      this.level("budget", budgetId),
    ]);
    const organization = await this.level("organization", organizationId ?? team?.organizationId);
    return { organization, team, member, user, budget };
  }

  /** What names a budget. */
  findByBudget(budgetId: string, db = this.store.db): Promise<EntityRow | undefined> {
    const query = db.selectFrom("entities").selectAll();
    return query.where(namesBudget(this.store, budgetId)).executeTakeFirst();
  }

  /** Whether there is anything of these kinds. */
  async hasAny(kinds: readonly EntityKind[]): Promise<boolean> {
    const { db } = this.store;
    const found = db.selectFrom("entities").select("id").where("kind", "in", kinds).limit(1);
    return (await found.executeTakeFirst()) !== undefined;
  }

  /** An entity as far as it binds calls. */
  async level(kind: EntityKind, id: string | null | undefined) {
    const row = id == null ? undefined : await this.find(kind, id);
    if (row === undefined) return undefined;
    const settings = kind === "budget" ? settingsOf(row) : await this.#withBudget(settingsOf(row));
    const { organization_id: organizationId, generation } = row;
    return { id: row.id, owner: ownerOf(row), settings, organizationId, generation };
  }

  /** Settings with the limits of the budget that they name, where they have none of their own. */
  async #withBudget(settings: LevelSettings): Promise<LevelSettings> {
    const budget = settings.budget_id == null ? undefined : await this.find("budget", settings.budget_id);
    if (budget === undefined) return settings;
    const limits = settingsOf(budget);
    return {
      ...Object.fromEntries(
        LIMIT_NAMES.flatMap((name) => (limits[name] == null ? [] : [[name, limits[name]]])),
      ),
      ...settings,
    };
  }

  async #member(teamId: string, userId: string): Promise<Level | undefined> {
    const row = await this.member("team", teamId, userId);
    return row && { id: userId, owner: ownerOfMember(row), settings: settingsOf(row) };
  }
}

/** Names what calls under an entity spend: what is made anew under the id of one that was deleted begins with nothing. */
export function ownerOf({ kind, id, created_at: since }: EntityRow): string {
  return `${kind} ${Number(since).toString(36)} ${id}`;
}

export function ownerOfMember(row: MembershipRow): string {
  const { kind, parent_id: parent, user_id: user, created_at: since } = row;
  // With the length no two pairs of ids read alike.
  return `member ${Number(since).toString(36)} ${kind} ${parent.length} ${parent} ${user}`;
}

/** Whether the settings of a row name a budget. */
export function namesBudget(store: Store, budgetId: string): Expression<SqlBool> {
  return jsonMemberIs(store, "settings", ["budget_id"], budgetId);
}

/** What an entity or a membership was given. */
function settingsOf(row: Pick<EntityRow, "settings">): LevelSettings {
  return (parseJsonObject(row.settings) ?? {}) as LevelSettings;
}
