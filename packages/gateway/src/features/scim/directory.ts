import { randomUUID } from "node:crypto";
import { type Expression, type SqlBool, sql } from "kysely";
import { defined, type JsonObject } from "../../contract/json.ts";
import { deleteWithKeys, leave, putMember } from "../../core/auth/issue/memberships.ts";
import { changeAtOnce, type KeyManagement } from "../../core/auth/management/key-management.ts";
import { endSessions } from "../../core/auth/management/sessions-of-user.ts";
import { MASTER_USER } from "../../core/auth/master-principal.ts";
import type { Change, Changer } from "../../core/auth/records/change.ts";
import {
  findEntity,
  insertEntity,
  mergedSettings,
  TEAM,
  USER,
  updateEntity,
} from "../../core/auth/records/entities.ts";
import type { EntityRow } from "../../core/auth/records/entity-tables.ts";
import { newUserSettings } from "../../core/auth/records/named-user.ts";
import { countedPage } from "../../platform/store/counted-page.ts";
import { jsonMemberIs, jsonMemberIsMissing } from "../../platform/store/json-member.ts";
import type { Filter } from "./filter.ts";
import { ScimProblem } from "./problem.ts";
import { groupOf, isGiven, type ScimGroup, type ScimUser, userOf, versionOf } from "./resources.ts";

/** Users and groups as an identity provider sees them: the gateway's users and teams. */
export class Directory {
  readonly #parts: KeyManagement;

  constructor(parts: KeyManagement) {
    this.#parts = parts;
  }

  /** @throws ScimProblem 404 */
  async find(kind: "user" | "team", id: string, under?: Change): Promise<EntityRow> {
    const row = await this.#parts.entities.find(kind, id, under?.db ?? this.#parts.entities.store.db);
    if (row === undefined)
      throw new ScimProblem(404, `There is no such ${kind === "user" ? "user" : "group"}`);
    return row;
  }

  async membersOf(teamId: string): Promise<string[]> {
    return (await this.#parts.entities.members("team", teamId)).map((each) => each.user_id);
  }

  /** A page of those that fit, the oldest first. */
  list(kind: "user" | "team", filter: Filter | undefined, offset: number, limit: number) {
    const { store } = this.#parts.entities;
    let query = store.db.selectFrom("entities").where("kind", "=", kind);
    if (filter !== undefined)
      query = query.where(({ or, and }) =>
        or(filter.map((all) => and(all.map(({ attribute, value }) => this.#holds(kind, attribute, value))))),
      );
    return countedPage(query.selectAll().orderBy("created_at").orderBy("id"), offset, limit);
  }

  createUser(user: ScimUser, changer: Changer): Promise<EntityRow> {
    return this.#change(changer, async (under) => {
      await this.#requireFree(under, user);
      if (user.userName === MASTER_USER || (await findEntity(under, "user", user.userName)) !== undefined)
        throw taken("userName");
      return insertEntity(under, USER, user.userName, {
        alias: user.userName,
        email: user.email ?? null,
        settings: newUserSettings(settingsOf(user), this.#parts.userDefaults()),
      });
    });
  }

  /** @param match the version that the caller has seen, where it names one */
  updateUser(
    id: string,
    next: (user: ScimUser) => ScimUser,
    changer: Changer,
    match: string | undefined,
  ): Promise<EntityRow> {
    return this.#change(changer, async (under) => {
      const before = await this.find("user", id, under);
      requireVersion(before, match);
      const user = next(userOf(before));
      await this.#requireFree(under, user, id);
      if (!user.active) await endSessions(this.#parts, under, id);
      return updateEntity(under, USER, id, (_, stored) => ({
        ...(user.userName === userOf(before).userName ? {} : { alias: user.userName }),
        email: user.email ?? null,
        settings: mergedSettings(stored, settingsOf(user)),
      }));
    });
  }

  /** Removes a user with its keys and sessions. */
  deleteUser(id: string, changer: Changer, match: string | undefined): Promise<EntityRow> {
    return this.#change(changer, async (under) => {
      requireVersion(await this.find("user", id, under), match);
      return deleteWithKeys(this.#parts.issuer, under, USER, id);
    });
  }

  createGroup(group: ScimGroup, changer: Changer): Promise<EntityRow> {
    return this.#change(changer, async (under) => {
      // Groups of tokens go by the id that the identity provider has for them.
      const id = group.externalId ?? randomUUID();
      if ((await findEntity(under, "team", id)) !== undefined) throw taken("externalId");
      const settings = mergedSettings(this.#parts.teamDefaults(), groupSettings(group));
      const row = await insertEntity(under, TEAM, id, { alias: group.displayName, settings });
      await this.#setMembers(under, row, [], group.members);
      return row;
    });
  }

  updateGroup(
    id: string,
    next: (group: ScimGroup) => ScimGroup,
    changer: Changer,
    match: string | undefined,
  ): Promise<EntityRow> {
    return this.#change(changer, async (under) => {
      const before = await this.find("team", id, under);
      requireVersion(before, match);
      const rows = await this.#parts.entities.members("team", id, under.db);
      const members = rows.map((each) => each.user_id);
      const group = next(groupOf(before, members));
      await this.#setMembers(under, before, members, group.members);
      return updateEntity(under, TEAM, id, (_, stored) => ({
        ...(group.displayName === groupOf(before, []).displayName ? {} : { alias: group.displayName }),
        settings: mergedSettings(stored, groupSettings(group)),
      }));
    });
  }

  /** Removes a team with its keys. */
  deleteGroup(id: string, changer: Changer, match: string | undefined): Promise<EntityRow> {
    return this.#change(changer, async (under) => {
      requireVersion(await this.find("team", id, under), match);
      for (const { user_id } of await this.#parts.entities.members("team", id, under.db))
        await this.#endGivenRoles(under, user_id);
      return deleteWithKeys(this.#parts.issuer, under, TEAM, id);
    });
  }

  #change(changer: Changer, work: (under: Change) => Promise<EntityRow>): Promise<EntityRow> {
    return changeAtOnce(this.#parts, changer, work);
  }

  /** The group may be what gave a session its role at the identity provider: the next sign-in says which one is left. */
  #endGivenRoles(under: Change, userId: string): Promise<void> {
    return endSessions(this.#parts, under, userId, "internal_user");
  }

  async #setMembers(under: Change, team: EntityRow, before: readonly string[], members: readonly string[]) {
    const wanted = new Set(members);
    const had = new Set(before);
    for (const id of had)
      if (!wanted.has(id)) {
        await leave(this.#parts.issuer, under, TEAM, team, id);
        await this.#endGivenRoles(under, id);
      }
    for (const id of wanted) {
      if (had.has(id)) continue;
      if ((await findEntity(under, "user", id)) === undefined)
        throw new ScimProblem(400, "members: names a user who is not there", "invalidValue");
      await putMember(under, TEAM, team, id, "user");
    }
  }

  /**
   * Whoever has been named by an address alone, as members of a team are, gives it up: nobody keeps a user from being made
   * by naming it first.
   * @throws ScimProblem 409 for a name or an address of another user that the identity provider made, or that has keys
   */
  async #requireFree(under: Change, { userName, email }: ScimUser, id?: string): Promise<void> {
    const users = under.db.selectFrom("entities").selectAll().where("kind", "=", "user");
    const named = await users.where(this.#isNamed(userName)).limit(2).execute();
    if (named.some((each) => each.id !== id)) throw taken("userName");
    if (email === undefined) return;
    const owners = await users.where("email", "=", email.toLowerCase()).execute();
    for (const owner of owners) {
      if (owner.id === id) continue;
      if (isGiven(owner) || (await this.#hasOwnKeys(under, owner.id))) throw taken("emails.value");
      await updateEntity(under, USER, owner.id, (_, settings) => ({ email: null, settings }));
    }
  }

  async #hasOwnKeys({ db }: Change, userId: string): Promise<boolean> {
    const keys = db.selectFrom("gateway_keys").select("key_hash").where("user_id", "=", userId);
    return (await keys.where("team_id", "is", null).executeTakeFirst()) !== undefined;
  }

  /**
   * By the name that the identity provider gave, and before it gave one by the id: an alias is whatever the user or the
   * team's admin says, who must become nobody else there.
   */
  #isNamed(name: string): Expression<SqlBool> {
    const { store } = this.#parts.entities;
    const path = ["scim", "name_key"] as const;
    const isGiven = jsonMemberIs(store, "settings", path, name.toLowerCase());
    const isMissing = jsonMemberIsMissing(store, "settings", path);
    return sql<SqlBool>`(${isGiven} or case when lower(id) = ${name.toLowerCase()} then ${isMissing} else false end)`;
  }

  #holds(kind: "user" | "team", attribute: string, value: string | boolean): Expression<SqlBool> {
    const text = String(value);
    // What a database cannot hold nobody has.
    if (text.includes("\0") || !text.isWellFormed()) return sql<SqlBool>`1 = 0`;
    const has = (path: readonly [string, ...string[]], wanted: string | true) =>
      jsonMemberIs(this.#parts.entities.store, "settings", path, wanted);
    if (attribute === "id") return sql<SqlBool>`id = ${text}`;
    if (attribute === "externalid") return has(["scim", "external_id"], text);
    if (attribute === (kind === "user" ? "username" : "displayname")) return this.#isNamed(text);
    if (kind === "user" && attribute === "displayname") return has(["scim", "display_name"], text);
    if (kind === "user" && (attribute === "emails" || attribute === "emails.value"))
      return sql<SqlBool>`email = ${text.toLowerCase()}`;
    if (kind === "user" && attribute === "active")
      return text === "true" ? sql<SqlBool>`not ${has(["blocked"], true)}` : has(["blocked"], true);
    throw new ScimProblem(400, "The filter names an attribute that cannot be filtered by", "invalidFilter");
  }
}

function groupSettings({ displayName, externalId }: ScimGroup): JsonObject {
  return { scim: scimOf({ ...namesOf(displayName), external_id: externalId }) };
}

/** The name as it was given, and as it is looked for. */
function namesOf(name: string) {
  return { name, name_key: name.toLowerCase() };
}

function settingsOf({
  userName,
  externalId,
  displayName,
  givenName,
  familyName,
  active,
}: ScimUser): JsonObject {
  const scim = scimOf({
    ...namesOf(userName),
    external_id: externalId,
    display_name: displayName,
    given_name: givenName,
    family_name: familyName,
  });
  return { scim, blocked: active ? null : true };
}

/** `null` where there is nothing to keep. */
function scimOf(members: Record<string, string | undefined>): JsonObject | null {
  const kept = defined(members);
  return Object.keys(kept).length === 0 ? null : kept;
}

function requireVersion(row: EntityRow, match: string | undefined): void {
  if (match === undefined || match.trim() === "*") return;
  const versions = match.split(",").map((each) => each.trim());
  if (!versions.includes(versionOf(row)) && !versions.includes(versionOf(row).slice(2)))
    throw new ScimProblem(412, "The resource has changed meanwhile");
}

function taken(attribute: string): ScimProblem {
  return new ScimProblem(409, `${attribute}: another one has it`, "uniqueness");
}
