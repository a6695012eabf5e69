import { check } from "../../../contract/check.ts";
import { forbidden, invalidRequest, notFound, shortened } from "../../../contract/errors.ts";
import { type JsonObject, objectOf } from "../../../contract/json.ts";
import { closed, given, type Schema } from "../../../contract/schema.ts";
import { requireModelLimits } from "../fields/model-scopes.ts";
import { maskedCallbacks } from "../fields/own-callbacks.ts";
import { requireAddresses } from "../fields/restriction-fields.ts";
import { requireBudgetToRollOver } from "../fields/rollover-budget.ts";
import { refuseFields } from "../fields/unenforced-limits.ts";
import type { AuditEntry, Change } from "./change.ts";
import type { EntityKind, EntityRow } from "./entity-tables.ts";
import { generationOf, retireOwner } from "./generations.ts";

/** A kind of entity. */
export interface EntityType {
  readonly kind: EntityKind;
  /** LiteLLM's name of the table, in the audit log. */
  readonly table: string;
  /** The field that names one. */
  readonly idField: string;
  /** The field of its alias. */
  readonly aliasField?: string;
}

export const ORGANIZATION = {
  kind: "organization",
  table: "LiteLLM_OrganizationTable",
  idField: "organization_id",
  aliasField: "organization_alias",
} as const satisfies EntityType;
export const TEAM = {
  kind: "team",
  table: "LiteLLM_TeamTable",
  idField: "team_id",
  aliasField: "team_alias",
} as const satisfies EntityType;
export const USER = {
  kind: "user",
  table: "LiteLLM_UserTable",
  idField: "user_id",
  aliasField: "user_alias",
} as const satisfies EntityType;

/** What an entity can be given, as its feature declares it. */
export interface EntityFields {
  readonly type: EntityType;
  /** The fields that it can be given. */
  readonly fields: Readonly<Record<string, Schema>>;
  /** LiteLLM's fields that would restrict something and are not enforced, with what there is instead. */
  readonly unenforced: ReadonlyMap<string, string>;
}

/** Limits that only keys have. */
const KEYS_HAVE_IT = "give it to the keys";

export const UNENFORCED_LIMITS: ReadonlyMap<string, string> = new Map(
  ["budget_limits", "budget_reset_at", "tpd_limit", "rpm_limit_type", "tpm_limit_type"].map((name) => [
    name,
    KEYS_HAVE_IT,
  ]),
);

/** LiteLLM's further restrictions, which teams, users and organizations have alike. */
export const UNENFORCED_RULES: ReadonlyMap<string, string> = new Map([
  ...UNENFORCED_LIMITS,
  ["guardrails", "name hook modules under callbacks"],
  ["policies", "name hook modules under callbacks"],
  ["prompts", "there is no prompt store"],
  ["object_permission", "objects belong to whoever made them"],
  ["router_settings", "set router_settings in the configuration"],
  ["access_group_ids", "give models"],
  ["allowed_vector_store_indexes", "there are no vector stores"],
  ["allowed_passthrough_routes", "give it to keys and teams"],
  ["denied_passthrough_routes", "leave them out of allowed_passthrough_routes"],
  ["secret_manager_settings", "secrets stand in the configuration"],
  ["spend", "the spend is what its calls cost"],
]);

/** A body that makes or changes an entity. */
export function entityBody(
  { fields, unenforced }: EntityFields,
  required: readonly string[],
): Schema<JsonObject> {
  const about = [...unenforced].map(([name, instead]): [string, Schema] => [
    name,
    { description: `Refused where it would restrict something: ${instead}.` },
  ]);
  const members = Object.entries(fields).map(([name, schema]): [string, Schema] => [
    required.includes(name) ? `${name}!` : name,
    schema,
  ]);
  return closed(
    given({ ...Object.fromEntries(about), ...Object.fromEntries(members) }),
  ) as Schema<JsonObject>;
}

/**
 * The fields of a body that makes or changes an entity.
 * @throws GatewayError 400 naming the field, also an unknown one and a restriction that would not be enforced
 */
export function readEntityFields(
  { type, fields, unenforced }: EntityFields,
  schema: Schema<JsonObject>,
  body: JsonObject,
): JsonObject {
  refuseFields(body, { read: Object.keys(fields), unenforced, kind: `${type.kind}s` });
  const given = check(schema, body);
  requireAddresses(given.allowed_ips as string[] | null | undefined);
  requireModelLimits(given);
  return Object.fromEntries(Object.entries(given).filter(([name]) => !unenforced.has(name)));
}

/** Settings after a change: `null` takes one away. */
export function mergedSettings(stored: JsonObject, fields: JsonObject): JsonObject {
  const settings = { ...stored };
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (value === null) delete settings[name];
    else settings[name] = value;
  }
  return settings;
}

export function settingsObject(row: Pick<EntityRow, "settings">): JsonObject {
  const settings: unknown = JSON.parse(row.settings);
  return objectOf(settings);
}

/** An entity as callers see it, without what is computed for one route alone. */
export function entityObject(type: EntityType, row: EntityRow): JsonObject {
  const { logging, ...settings } = settingsObject(row);
  return {
    [type.idField]: row.id,
    ...(type.aliasField === undefined ? {} : { [type.aliasField]: row.alias }),
    ...(row.kind === "user" ? { user_email: row.email } : {}),
    ...(row.kind === "team" ? { organization_id: row.organization_id } : {}),
    models: [],
    metadata: {},
    blocked: false,
    ...settings,
    ...(row.kind === "team" && logging !== undefined
      ? { metadata: { ...objectOf(settings.metadata), logging: maskedCallbacks(logging) } }
      : {}),
    created_at: new Date(row.created_at).toISOString(),
    created_by: row.created_by,
    updated_at: new Date(row.updated_at).toISOString(),
    updated_by: row.updated_by,
  };
}

/** What a change sets of an entity. */
export interface EntityValues {
  readonly alias?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly organizationId?: string | null | undefined;
  readonly settings: JsonObject;
}

/** @throws GatewayError 400 where there is one by this id */
export async function insertEntity(
  change: Change,
  type: EntityType,
  id: string,
  values: EntityValues,
): Promise<EntityRow> {
  const { db, changer } = change;
  if ((await findEntity(change, type.kind, id)) !== undefined)
    throw invalidRequest(`The ${type.kind} ${id} exists already`, type.idField);
  await requireFreshId(change, type, id);
  await requireParent(change, "budget", values.settings.budget_id, "budget_id");
  requireBudgetToRollOver(values.settings, {});
  const now = Date.now();
  const row: EntityRow = {
    kind: type.kind,
    id,
    alias: values.alias ?? null,
    email: values.email?.toLowerCase() ?? null,
    organization_id: values.organizationId ?? null,
    settings: JSON.stringify(values.settings),
    version: 1,
    created_at: now,
    created_by: changer.by,
    updated_at: now,
    updated_by: changer.by,
    generation: isOwner(type.kind) ? await generationOf(db, type.kind, id) : 0,
  };
  await db.insertInto("entities").values(row).execute();
  await change.audit({ action: "created", ...entityEntry(type, row), after: entityObject(type, row) });
  return row;
}

/**
 * Changes an entity as it is now.
 * @throws GatewayError 404 where there is none
 */
export async function updateEntity(
  change: Change,
  type: EntityType,
  id: string,
  valuesOf: (row: EntityRow, settings: JsonObject) => Promise<EntityValues> | EntityValues,
  action: AuditEntry["action"] = "updated",
): Promise<EntityRow> {
  const before = await requireEntity(change, type, id);
  const stored = settingsObject(before);
  const { alias, email, organizationId, settings } = await valuesOf(before, stored);
  if (settings.budget_id !== stored.budget_id)
    await requireParent(change, "budget", settings.budget_id, "budget_id");
  requireBudgetToRollOver(settings, stored);
  const row: EntityRow = {
    ...before,
    ...(alias === undefined ? {} : { alias }),
    ...(email === undefined ? {} : { email: email?.toLowerCase() ?? null }),
    ...(organizationId === undefined ? {} : { organization_id: organizationId }),
    settings: JSON.stringify(settings),
    version: Number(before.version) + 1,
    updated_at: Date.now(),
    updated_by: change.changer.by,
  };
  await change.db
    .updateTable("entities")
    .set(row)
    .where("kind", "=", type.kind)
    .where("id", "=", id)
    .execute();
  await change.audit({
    action,
    ...entityEntry(type, row),
    before: entityObject(type, before),
    after: entityObject(type, row),
  });
  return row;
}

/**
 * Files, responses and cached answers belong to the ids of users and teams, and keys name them too, also where the
 * gateway knows no such user. Whoever gives such an id to somebody new gives along what no deleted one had, which is for
 * proxy administrators alone.
 * @throws GatewayError 403 for an id that keys name or that somebody had before
 */
async function requireFreshId({ db, changer }: Change, type: EntityType, id: string): Promise<void> {
  const { kind, table, idField } = type;
  if (changer.isTaken === undefined || !isOwner(kind)) return;
  const column = kind === "user" ? "user_id" : "team_id";
  const isTaken =
    changer.isTaken(kind, id) ||
    (await db.selectFrom("gateway_keys").select("key_hash").where(column, "=", id).executeTakeFirst()) ||
    (await db.selectFrom("objects").select("id").where("tenant", "=", `${kind}:${id}`).executeTakeFirst()) ||
    (await db
      .selectFrom("audit_log")
      .select("id")
      .where("table_name", "=", table)
      .where("object_id", "=", id)
      .executeTakeFirst());
  if (!isTaken) return;
  const message = `Only a proxy administrator gives a new ${kind} the id ${shortened(id)}, which was in use before`;
  throw forbidden(message, idField);
}

/** Whether files, answers and the like belong to entities of the kind. */
function isOwner(kind: EntityKind): kind is "user" | "team" {
  return kind === "user" || kind === "team";
}

/** @throws GatewayError 404 where there is none */
export async function deleteEntity(change: Change, type: EntityType, id: string): Promise<EntityRow> {
  const before = await requireEntity(change, type, id);
  await change.db.deleteFrom("entities").where("kind", "=", type.kind).where("id", "=", id).execute();
  if (isOwner(type.kind)) await retireOwner(change.db, type.kind, id);
  await change.audit({ action: "deleted", ...entityEntry(type, before), before: entityObject(type, before) });
  return before;
}

/** @throws GatewayError 404 where there is none */
export async function requireEntity(change: Change, type: EntityType, id: string): Promise<EntityRow> {
  const row = await findEntity(change, type.kind, id);
  if (row === undefined) throw missing(type, id);
  return row;
}

export function missing(type: EntityType, id: string): Error {
  return notFound(`There is no ${type.kind} ${shortened(id)}`);
}

export function findEntity(
  { db }: Pick<Change, "db">,
  kind: EntityKind,
  id: string,
): Promise<EntityRow | undefined> {
  return db
    .selectFrom("entities")
    .selectAll()
    .where("kind", "=", kind)
    .where("id", "=", id)
    .executeTakeFirst();
}

export function findUserByEmail({ db }: Pick<Change, "db">, email: string): Promise<EntityRow | undefined> {
  return db
    .selectFrom("entities")
    .selectAll()
    .where("kind", "=", "user")
    .where("email", "=", email.toLowerCase())
    .executeTakeFirst();
}

/**
 * A parent that a body names must be there.
 * @param isThere for whoever asks
 * @throws GatewayError 400
 */
export async function requireParent(
  change: Change,
  kind: EntityKind,
  id: unknown,
  param: string,
  isThere: (row: EntityRow) => boolean = () => true,
): Promise<EntityRow | undefined> {
  if (typeof id !== "string") return undefined;
  const row = await findEntity(change, kind, id);
  if (row === undefined || !isThere(row)) throw invalidRequest(`${param}: there is no ${kind} ${id}`, param);
  return row;
}

/** An entity in the audit log. */
export function entityEntry(type: EntityType, row: EntityRow): Omit<AuditEntry, "action"> {
  return {
    table: type.table,
    id: row.id,
    organizationId: row.kind === "organization" ? row.id : row.organization_id,
    teamId: row.kind === "team" ? row.id : undefined,
  };
}
