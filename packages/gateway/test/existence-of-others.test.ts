import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../src/contract/json.ts";
import type { ManagementRole } from "../src/core/auth/roles.ts";
import { managedOperations } from "./roles/table.ts";
import { everyOperation, startWholeGateway } from "./rules/everything.ts";
import type { Schema } from "./rules/operations.ts";
import { addressOf, examples } from "./rules/requests.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

/**
 * Whoever names something of others gets the answer that it would get for a name that nobody has: by every route that
 * manages, as every role that may ask for it, at every place of the path, the query and the body that names something.
 */

const ROLES = ["org_admin", "team_admin", "internal_user", "internal_user_viewer"] as const;
type Role = (typeof ROLES)[number];

/** What others have. */
const theirs = {
  organization: "their organization",
  team: "their team",
  user: "their user",
  email: "their.user@example.com",
  key: "sk-their-key-0123",
  keyAlias: "their key",
  teamAlias: "the alias of their team",
  organizationAlias: "the alias of their organization",
} as const;
type Kind = keyof typeof theirs;

/** Places by their names; a list where there are several. */
const PLACES: Readonly<Record<string, Kind | readonly [Kind]>> = {
  team_id: "team",
  team: "team",
  team_ids: ["team"],
  teams: ["team"],
  organization_id: "organization",
  org_id: "organization",
  organization_ids: ["organization"],
  organizations: ["organization"],
  user_id: "user",
  user: "user",
  internal_user_id: "user",
  changed_by: "user",
  user_ids: ["user"],
  user_email: "email",
  key: "key",
  api_key: "key",
  key_hash: "key",
  keys: ["key"],
  key_alias: "keyAlias",
  key_aliases: ["keyAlias"],
  team_alias: "teamAlias",
  org_alias: "organizationAlias",
  organization_alias: "organizationAlias",
  object_id: "team",
};

/** Places at which a name is given to something new, which nobody else may have: that it is taken cannot be hidden. */
const GIVEN = new Set([
  "generateKey key",
  "generateKey key_alias",
  "generateServiceAccount key",
  "generateServiceAccount key_alias",
  "updateKey key_alias",
  "regenerateKey key_alias",
  "regenerateKeyByPath key_alias",
  "createTeam team_id",
  "createUser user_id",
  "createUser user_email",
  "createUser key_alias",
  "updateUser user_email",
]);

interface Place {
  readonly where: "path" | "query" | "body";
  readonly name: string;
  readonly kind: Kind;
  readonly isList: boolean;
}

interface Described {
  readonly parameters?: readonly { readonly in: "path" | "query"; readonly name: string }[];
}

const operations = managedOperations(await everyOperation());
let gateway: TestGateway;
let described: Readonly<Record<string, Readonly<Record<string, Described>>>>;
const keys = new Map<Role, string>();
let names = 0;

async function post(path: string, body: JsonObject): Promise<JsonObject> {
  const answer = await gateway.call(path, { body });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as JsonObject;
}

beforeAll(async () => {
  gateway = await startWholeGateway(startTestGateway);
  const document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as { paths: typeof described };
  described = document.paths;
  await post("/organization/new", { organization_id: "home", organization_alias: "home" });
  for (const role of ROLES) {
    const user_role = role === "internal_user_viewer" ? role : "internal_user";
    const made = await post("/user/new", { user_id: role, user_role, organizations: ["home"] });
    keys.set(role, made.key as string);
  }
  const boss = { user_id: "org_admin", role: "org_admin" };
  await post("/organization/member_add", { organization_id: "home", member: boss });
  await post("/user/new", { user_id: "member", organizations: ["home"], auto_create_key: false });
  const members = ["internal_user", "internal_user_viewer", "member"];
  await post("/team/new", { team_id: "ours", organization_id: "home", admins: ["team_admin"], members });

  const { organization: organization_id, team: team_id, user: user_id } = theirs;
  await post("/organization/new", { organization_id, organization_alias: theirs.organizationAlias });
  const user = {
    user_id,
    user_email: theirs.email,
    organizations: [organization_id],
    auto_create_key: false,
  };
  await post("/user/new", user);
  await post("/team/new", { team_id, organization_id, team_alias: theirs.teamAlias, members: [user_id] });
  await post("/key/generate", { team_id, user_id, key: theirs.key, key_alias: theirs.keyAlias });
});
afterAll(() => gateway?.close());

/** Another name of the kind, which nobody has. */
function unknown(kind: Kind): string {
  const number = `${++names}`.padStart(6, "0");
  if (kind === "email") return `nobody.${number}@example.com`;
  return kind === "key" ? `sk-nobody-${number}` : `nobody ${number}`;
}

function placesOf({ operation }: (typeof operations)[number]): Place[] {
  const { parameters = [] } = described[operation.path]![operation.method.toLowerCase()]!;
  const named = [
    ...parameters.map((each) => ({ where: each.in, name: each.name })),
    ...membersOf(operation.json).map((name) => ({ where: "body" as const, name })),
  ];
  return named.flatMap((each) => {
    const place = PLACES[each.name];
    if (place === undefined || GIVEN.has(`${operation.id} ${each.name}`)) return [];
    return [
      { ...each, kind: typeof place === "string" ? place : place[0], isList: typeof place !== "string" },
    ];
  });
}

function membersOf(schema: Schema | undefined): string[] {
  const { properties = {}, allOf = [] } = schema ?? {};
  return [...new Set([...Object.keys(properties), ...allOf.flatMap(membersOf)])];
}

/** The answer where the place has this name and all others have what is the role's own. */
async function answerTo(
  { operation }: (typeof operations)[number],
  role: Role,
  { where, name, isList }: Place,
  value: string,
): Promise<readonly [status: number, text: string]> {
  const { needs, query, body } = examples[operation.id]!;
  const ids = {
    team: "ours",
    organization: "home",
    user: role === "org_admin" ? "member" : role,
    audit: "none",
    key:
      needs === "key"
        ? ((await post("/key/generate", { user_id: role, team_id: "ours" })).key as string)
        : "",
  };
  const given: JsonObject = { ...body?.(ids) };
  if (operation.id === "createTeam") given.organization_id = "home";
  if (operation.id === "createUser") given.organizations = ["home"];
  if (name === "user_email") delete given.user_id;
  if (name === "key_aliases") delete given.keys;
  if (where === "body") given[name] = isList ? [value] : value;
  const asked = new URLSearchParams(query?.(ids));
  if (where === "query") asked.set(name, value);
  const path =
    where === "path" ? operation.path.replace(`{${name}}`, encodeURIComponent(value)) : operation.path;
  const answer = await gateway.call(`${addressOf(operation, path, ids)}?${asked}`, {
    method: operation.method,
    key: keys.get(role)!,
    ...(body && { body: given }),
  });
  return [answer.status, (await answer.text()).replaceAll(value, "NAME")];
}

const cells = operations.flatMap((each) =>
  ROLES.filter((role: ManagementRole) => each.row[role] !== undefined).map((role) => ({
    ...each,
    role: role as Role,
    id: each.operation.id,
  })),
);

it("Every place that gives a name belongs to an operation", () => {
  const ids = new Set(operations.map(({ operation }) => operation.id));
  expect([...GIVEN].filter((place) => !ids.has(place.split(" ")[0]!))).toEqual([]);
});

describe("What others have is not told from what nobody has", () => {
  it.each(cells)("by $id as $role", async ({ role, ...operation }) => {
    for (const place of placesOf(operation)) {
      const ofTheirs = await answerTo(operation, role, place, theirs[place.kind]);
      const ofNobody = await answerTo(operation, role, place, unknown(place.kind));
      const where = `${place.where} ${place.name}`;
      expect([where, ofTheirs[0]]).toEqual([where, ofNobody[0]]);
      if (ofTheirs[0] !== 200) expect([where, ofTheirs[1]]).toEqual([where, ofNobody[1]]);
      for (const name of Object.values(theirs)) expect(`${where}: ${ofTheirs[1]}`).not.toContain(name);
    }
  });
});
