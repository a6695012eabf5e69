import { isJsonObject, type JsonObject, objectOf } from "../../contract/json.ts";
import { settingsObject } from "../../core/auth/records/entities.ts";
import type { EntityRow } from "../../core/auth/records/entity-tables.ts";
import type { PatchOperation } from "./patch.ts";
import { invalidValue, ScimProblem } from "./problem.ts";

export const USER_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:User";
export const GROUP_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Group";

/** What is kept of a user. */
export interface ScimUser {
  readonly userName: string;
  readonly externalId: string | undefined;
  readonly displayName: string | undefined;
  readonly givenName: string | undefined;
  readonly familyName: string | undefined;
  readonly email: string | undefined;
  readonly active: boolean;
}

/** What is kept of a group; `members` are ids of users. */
export interface ScimGroup {
  readonly displayName: string;
  readonly externalId: string | undefined;
  readonly members: readonly string[];
}

const MAX_MEMBERS = 5000;

/** @throws ScimProblem for a value of the wrong type */
export function readUser(body: JsonObject, before?: ScimUser): ScimUser {
  const names = lowered(body);
  const userName = textOf(names.username, "userName") ?? before?.userName;
  if (userName === undefined) throw invalidValue("userName: is missing");
  const name = lowered(objectOf(names.name));
  return {
    userName,
    externalId: textOf(names.externalid, "externalId"),
    displayName: textOf(names.displayname, "displayName") ?? textOf(name.formatted, "name.formatted"),
    givenName: textOf(name.givenname, "name.givenName"),
    familyName: textOf(name.familyname, "name.familyName"),
    email: emailIn(names.emails),
    // Whoever says nothing of it unblocks nobody.
    active:
      names.active === undefined || names.active === null ? before?.active !== false : flagOf(names.active),
  };
}

/** A user after one operation of a PATCH; attributes that are not kept are left alone. */
export function patchedUser(user: ScimUser, { op, attribute, member, value }: PatchOperation): ScimUser {
  const isGone = op === "remove" || value === null;
  const text = (name: string): string | undefined => (isGone ? undefined : textOf(value, name));
  switch (attribute) {
    case "username": {
      const userName = text("userName");
      if (userName === undefined) throw new ScimProblem(400, "userName cannot be removed", "mutability");
      return { ...user, userName };
    }
    case "externalid":
      return { ...user, externalId: text("externalId") };
    case "displayname":
      return { ...user, displayName: text("displayName") };
    case "active":
      // Whoever takes it away says nothing of it, and unblocks nobody.
      return isGone ? user : { ...user, active: flagOf(value) };
    case "emails": {
      if (isGone) return { ...user, email: undefined };
      return { ...user, email: member === "value" ? textOf(value, "emails.value") : emailIn(value) };
    }
    case "name": {
      const parts = lowered(isJsonObject(value) ? value : { [member ?? ""]: isGone ? null : value });
      const part = (name: "givenName" | "familyName") =>
        Object.hasOwn(parts, name.toLowerCase()) ? textOf(parts[name.toLowerCase()], name) : user[name];
      return { ...user, givenName: part("givenName"), familyName: part("familyName") };
    }
    case "id":
    case "schemas":
    case "meta":
      return user;
    default:
      return user;
  }
}

/** @throws ScimProblem for a value of the wrong type */
export function readGroup(body: JsonObject): ScimGroup {
  const names = lowered(body);
  const displayName = textOf(names.displayname, "displayName");
  if (displayName === undefined) throw invalidValue("displayName: is missing");
  const members = names.members == null ? [] : membersIn(names.members);
  return { displayName, externalId: textOf(names.externalid, "externalId"), members };
}

/** A group after one operation of a PATCH. */
export function patchedGroup(group: ScimGroup, { op, attribute, chosen, value }: PatchOperation): ScimGroup {
  if (attribute === "displayname") {
    const displayName = op === "remove" ? undefined : textOf(value, "displayName");
    if (displayName === undefined) throw new ScimProblem(400, "displayName cannot be removed", "mutability");
    return { ...group, displayName };
  }
  if (attribute === "externalid")
    return { ...group, externalId: op === "remove" ? undefined : textOf(value, "externalId") };
  if (attribute !== "members") return group;
  const named = chosen === undefined ? (value == null ? undefined : membersIn(value)) : [chosen];
  if (op === "replace" && chosen !== undefined) return { ...group, members: inPlace(group, chosen, value) };
  if (op === "replace") return { ...group, members: named ?? [] };
  if (op === "add") return { ...group, members: [...new Set([...group.members, ...(named ?? [])])] };
  const gone = new Set(named);
  return { ...group, members: named === undefined ? [] : group.members.filter((id) => !gone.has(id)) };
}

/** The members with another one in the place of the one that the path chooses. */
function inPlace({ members }: ScimGroup, chosen: string, value: unknown): string[] {
  if (!members.includes(chosen)) throw new ScimProblem(400, "path: the group has no such member", "noTarget");
  const others = value == null ? [chosen] : membersIn(value);
  return [...new Set(members.flatMap((id) => (id === chosen ? others : [id])))];
}

/** A user as it is kept. */
export function userOf(row: EntityRow): ScimUser {
  const settings = settingsObject(row);
  const kept = objectOf(settings.scim);
  const text = (name: string): string | undefined =>
    typeof kept[name] === "string" ? (kept[name] as string) : undefined;
  return {
    userName: text("name") ?? row.id,
    externalId: text("external_id"),
    displayName: text("display_name"),
    givenName: text("given_name"),
    familyName: text("family_name"),
    email: row.email ?? undefined,
    active: settings.blocked !== true,
  };
}

/** Whether the identity provider has given a user or a team its name. */
export function isGiven(row: EntityRow): boolean {
  const { scim } = settingsObject(row);
  return isJsonObject(scim) && scim.name_key !== undefined;
}

export function groupOf(row: EntityRow, members: readonly string[]): ScimGroup {
  const { scim } = settingsObject(row);
  const text = (name: string): string | undefined =>
    isJsonObject(scim) && typeof scim[name] === "string" ? (scim[name] as string) : undefined;
  return { displayName: text("name") ?? row.id, externalId: text("external_id"), members };
}

/** As clients read it; `undefined` members are left out of JSON. */
export function userResource(row: EntityRow, base: string): JsonObject {
  const { userName, externalId, displayName, givenName, familyName, email, active } = userOf(row);
  const hasName = givenName !== undefined || familyName !== undefined;
  return {
    schemas: [USER_SCHEMA],
    id: row.id,
    externalId,
    userName,
    displayName,
    name: hasName ? { givenName, familyName } : undefined,
    emails: email === undefined ? undefined : [{ value: email, primary: true }],
    active,
    meta: metaOf(row, "User", base),
  };
}

export function groupResource(
  row: EntityRow,
  members: readonly string[] | undefined,
  base: string,
): JsonObject {
  const { displayName, externalId } = groupOf(row, []);
  return {
    schemas: [GROUP_SCHEMA],
    id: row.id,
    externalId,
    displayName,
    members: members?.map((value) => ({ value, $ref: `${base}/scim/v2/Users/${encodeURIComponent(value)}` })),
    meta: metaOf(row, "Group", base),
  };
}

/** The version of a resource (RFC 7644, section 3.14). */
export function versionOf(row: EntityRow): string {
  return `W/"${Number(row.created_at).toString(36)}-${row.version}"`;
}

function metaOf(row: EntityRow, resourceType: string, base: string): JsonObject {
  return {
    resourceType,
    created: new Date(Number(row.created_at)).toISOString(),
    lastModified: new Date(Number(row.updated_at)).toISOString(),
    location: `${base}/scim/v2/${resourceType}s/${encodeURIComponent(row.id)}`,
    version: versionOf(row),
  };
}

function membersIn(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value];
  if (list.length > MAX_MEMBERS) throw invalidValue(`members: at most ${MAX_MEMBERS}`);
  const ids = list.map((each) => textOf(isJsonObject(each) ? each.value : each, "members.value"));
  if (ids.some((id) => id === undefined)) throw invalidValue("members: expected maps with value");
  return [...new Set(ids as string[])];
}

/** The primary address, else the first. */
function emailIn(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw invalidValue("emails: expected a list");
  const maps: JsonObject[] = value
    .slice(0, 100)
    .map((each) => (isJsonObject(each) ? lowered(each) : { value: each }));
  const [first] = maps;
  return textOf((maps.find(({ primary }) => primary === true) ?? first)?.value, "emails.value");
}

/** Entra sends texts for flags. */
function flagOf(value: unknown): boolean {
  if (typeof value === "boolean") return value;
  const word = typeof value === "string" ? value.toLowerCase() : "";
  if (word === "true" || word === "false") return word === "true";
  throw invalidValue("active: expected true or false");
}

function textOf(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string" && value.length <= 256 && !/\p{Cc}/u.test(value) && value.isWellFormed())
    return value;
  throw invalidValue(`${name}: expected text of at most 256 characters`);
}

/** Names of attributes know no case (RFC 7643, section 2.1). */
function lowered(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name.toLowerCase(), value]));
}
