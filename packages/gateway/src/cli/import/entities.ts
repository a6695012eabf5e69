import type { JsonObject } from "../../contract/json.ts";
import {
  type EntityFields,
  type EntityValues,
  insertEntity,
  mergedSettings,
  updateEntity,
} from "../../core/auth/records/entities.ts";
import { ownerOf } from "../../core/auth/records/entity-store.ts";
import type { EntityKind, EntityRow } from "../../core/auth/records/entity-tables.ts";
import { budgetFields } from "../../features/budgets/schema.ts";
import { customerFields } from "../../features/customers/schema.ts";
import { organizationFields } from "../../features/organizations/schema.ts";
import { tagFields } from "../../features/tags/schema.ts";
import { teamFields } from "../../features/teams/schema.ts";
import { userFields } from "../../features/users/schema.ts";
import { type ImportRun, openStep, readEntity, type Step, spentInWindow, takeRows } from "./import-run.ts";
import type { Item } from "./target.ts";
import { limitIn, objectIn, present, spendIn, textIn, textsIn, timeIn } from "./values.ts";

/** A table whose rows become entities. */
interface EntityTable {
  readonly table: string;
  readonly plural: string;
  readonly fields: EntityFields;
  readonly idColumn: string;
  /** The fields by LiteLLM's names, those of them that have a value. */
  fieldsOf(row: JsonObject, run: ImportRun): JsonObject;
}

const LIMITS = ["max_budget", "soft_budget", "rpm_limit", "tpm_limit", "tpd_limit", "max_parallel_requests"];

export function limitsIn(row: JsonObject): JsonObject {
  return {
    ...Object.fromEntries(LIMITS.map((name) => [name, limitIn(row, name)])),
    budget_duration: textIn(row, "budget_duration"),
    model_max_budget: objectIn(row, "model_max_budget"),
  };
}

/** What LiteLLM keeps in `metadata` of keys and teams and has an effect. */
const IN_METADATA = [
  "model_rpm_limit",
  "model_tpm_limit",
  "mcp_rpm_limit",
  "tag_rpm_limit",
  "tag_tpm_limit",
  "enforced_params",
  "temp_budget_increase",
  "temp_budget_expiry",
  "allowed_vector_store_indexes",
  "throttle_on_budget_exceeded",
  "end_user_budget_id",
  "guardrails",
  "policies",
  "tags",
  "prompts",
  "team_member_key_duration",
  "allowed_passthrough_routes",
  "denied_passthrough_routes",
  "enforced_batch_output_expires_after",
  "enforced_file_expires_after",
  "allowed_ips",
];

/** Holds secrets, encrypted by LiteLLM or not, such as those of callbacks, which are given anew here. */
const SECRET_METADATA = ["logging", "secret_manager_settings", "callback_settings", "team_member_budget_id"];

/** The metadata that describes, and the fields that LiteLLM keeps in it. */
export function splitMetadata(row: JsonObject): { metadata: JsonObject; fields: JsonObject } {
  const all = objectIn(row, "metadata");
  const isField = (name: string) => IN_METADATA.includes(name);
  const entries = Object.entries(all);
  return {
    metadata: Object.fromEntries(
      entries.filter(([name]) => !isField(name) && !SECRET_METADATA.includes(name)),
    ),
    fields: Object.fromEntries(entries.filter(([name]) => isField(name))),
  };
}

const USER_ROLES = ["proxy_admin", "proxy_admin_viewer", "internal_user", "internal_user_viewer"];

const TABLES: Readonly<Record<EntityKind, EntityTable>> = {
  budget: {
    table: "LiteLLM_BudgetTable",
    plural: "budgets",
    fields: budgetFields,
    idColumn: "budget_id",
    fieldsOf: (row) => ({
      ...limitsIn(row),
      allowed_models: textsIn(row, "allowed_models"),
      temp_budget_increase: limitIn(row, "temp_budget_increase"),
    }),
  },
  organization: {
    table: "LiteLLM_OrganizationTable",
    plural: "organizations",
    fields: organizationFields,
    idColumn: "organization_id",
    fieldsOf: (row) => ({
      organization_alias: textIn(row, "organization_alias"),
      budget_id: textIn(row, "budget_id"),
      models: textsIn(row, "models"),
      metadata: objectIn(row, "metadata"),
      object_permission: textIn(row, "object_permission_id"),
    }),
  },
  user: {
    table: "LiteLLM_UserTable",
    plural: "users",
    fields: userFields,
    idColumn: "user_id",
    fieldsOf: (row) => {
      const role = textIn(row, "user_role");
      const { metadata, fields } = splitMetadata(row);
      return {
        user_alias: textIn(row, "user_alias"),
        user_email: textIn(row, "user_email"),
        user_role: role !== undefined && USER_ROLES.includes(role) ? role : undefined,
        sso_user_id: textIn(row, "sso_user_id"),
        models: textsIn(row, "models"),
        ...limitsIn(row),
        ...fields,
        metadata,
        password: textIn(row, "password") && "set",
        allowed_cache_controls: textsIn(row, "allowed_cache_controls"),
        policies: textsIn(row, "policies"),
        object_permission: textIn(row, "object_permission_id"),
      };
    },
  },
  team: {
    table: "LiteLLM_TeamTable",
    plural: "teams",
    fields: teamFields,
    idColumn: "team_id",
    fieldsOf: (row, { budgets }) => {
      const { metadata, fields } = splitMetadata(row);
      const ofMembers = budgets.get(textIn(objectIn(row, "metadata"), "team_member_budget_id") ?? "")?.row;
      return {
        team_alias: textIn(row, "team_alias"),
        organization_id: textIn(row, "organization_id"),
        models: textsIn(row, "models"),
        blocked: row.blocked === true ? true : undefined,
        ...limitsIn(row),
        ...fields,
        metadata,
        model_aliases: objectIn(row, "model_aliases"),
        team_member_permissions: textsIn(row, "team_member_permissions"),
        ...(ofMembers === undefined
          ? {}
          : {
              team_member_budget: limitIn(ofMembers, "max_budget"),
              team_member_budget_duration: textIn(ofMembers, "budget_duration"),
              team_member_rpm_limit: limitIn(ofMembers, "rpm_limit"),
              team_member_tpm_limit: limitIn(ofMembers, "tpm_limit"),
            }),
        object_permission: textIn(row, "object_permission_id"),
        router_settings: objectIn(row, "router_settings"),
        access_group_ids: textsIn(row, "access_group_ids"),
        policies: textsIn(row, "policies"),
        default_team_member_models: textsIn(row, "default_team_member_models"),
        budget_limits: row.budget_limits,
      };
    },
  },
  customer: {
    table: "LiteLLM_EndUserTable",
    plural: "customers",
    fields: customerFields,
    idColumn: "user_id",
    fieldsOf: (row) => ({
      alias: textIn(row, "alias"),
      budget_id: textIn(row, "budget_id"),
      blocked: row.blocked === true ? true : undefined,
      allowed_model_region: textIn(row, "allowed_model_region"),
      default_model: textIn(row, "default_model"),
      models: textsIn(row, "models"),
      object_permission: textIn(row, "object_permission_id"),
    }),
  },
  tag: {
    table: "LiteLLM_TagTable",
    plural: "tags",
    fields: tagFields,
    idColumn: "tag_name",
    fieldsOf: (row) => ({
      description: textIn(row, "description"),
      budget_id: textIn(row, "budget_id"),
      models: textsIn(row, "models"),
      model_info: objectIn(row, "model_info"),
    }),
  },
};

/** Takes over the rows of one kind of entities. */
export async function importEntities(run: ImportRun, kind: EntityKind): Promise<void> {
  const from = TABLES[kind];
  const step = openStep(run, kind, from.table, from.plural);
  if (step === undefined) return;
  await takeRows(step, async (rows) => {
    if (kind === "budget") for (const row of rows) remember(run, row);
    const given = kind === "team" ? await withAliases(run, rows) : rows;
    const ids = given.map((row) => String(row[from.idColumn]));
    const here = new Map((await entitiesBy(run, kind, "id", ids)).map((row) => [row.id, row]));
    const addresses = kind === "user" ? await takenAddresses(run, given) : new Map<string, string>();
    return given.map((row, at) => itemOf(step, from, row, here.get(ids[at]!), addresses));
  });
}

function itemOf(
  step: Step,
  { fields, fieldsOf, idColumn }: EntityTable,
  row: JsonObject,
  here: EntityRow | undefined,
  addresses: Map<string, string>,
): Item | undefined {
  const { run } = step;
  const { type } = fields;
  const id = String(row[idColumn]);
  const given = present(fieldsOf(row, run));
  const missing = run.target.missing({
    budget: given.budget_id as string | undefined,
    organization: given.organization_id as string | undefined,
  });
  if (missing !== undefined) {
    run.target.leave(step, id, missing);
    return undefined;
  }
  requireOwnAddress(step, id, given, addresses);
  const body = readEntity(step, fields, id, { ...given, [type.idField]: id });
  if (body === undefined) return undefined;
  const { [type.idField]: _, ...rest } = body;
  const values = valuesOf(rest, fields);
  const budget = run.budgets.get(String(rest.budget_id));
  const budgetDuration = (rest.budget_duration as string | undefined) ?? budget?.duration;
  const ownerIn = (found: EntityRow) => ({
    name: ownerOf(found),
    isKey: false,
    limits: budgetDuration === undefined ? {} : { budgetDuration },
  });
  const spent = spendIn(row);
  return {
    id,
    body: rest,
    spent: type.kind === "budget" ? 0 : spent,
    spentInWindow: spentInWindow(rest.budget_duration === undefined && budget ? budget.row : row, spent),
    here: here && markIn(here),
    owner: here && ownerIn(here),
    write: async (under, isNew) => {
      const written = isNew
        ? await insertEntity(under, type, id, values)
        : await updateEntity(under, type, id, () => values);
      return { mark: markIn(written), owner: ownerIn(written) };
    },
  };
}

function valuesOf(body: JsonObject, { type }: EntityFields): EntityValues {
  const { [type.aliasField ?? "alias"]: alias, user_email: email, organization_id, ...settings } = body;
  return {
    alias: (alias as string | undefined) ?? null,
    email: (email as string | undefined) ?? null,
    organizationId: (organization_id as string | undefined) ?? null,
    settings: mergedSettings({}, settings),
  };
}

function markIn({ created_at: since, version }: EntityRow): string {
  return `${Number(since)}.${Number(version)}`;
}

function entitiesBy(
  { target }: ImportRun,
  kind: EntityKind,
  column: "id" | "email",
  values: readonly string[],
): Promise<EntityRow[]> {
  return target.store.db
    .selectFrom("entities")
    .selectAll()
    .where("kind", "=", kind)
    .where(column, "in", values.length === 0 ? [""] : values)
    .execute();
}

/** Addresses of users that are here, with the users' ids. */
async function takenAddresses(run: ImportRun, rows: readonly JsonObject[]): Promise<Map<string, string>> {
  const asked = rows.flatMap((row) => textIn(row, "user_email")?.toLowerCase() ?? []);
  const found = await entitiesBy(run, "user", "email", asked);
  return new Map(found.map(({ email, id }) => [email!, id]));
}

/** An address is one user's. */
function requireOwnAddress(
  { report }: Step,
  id: string,
  given: JsonObject,
  addresses: Map<string, string>,
): void {
  const { user_email: address } = given;
  if (typeof address !== "string") return;
  const email = address.toLowerCase();
  const owner = addresses.get(email) ?? id;
  addresses.set(email, owner);
  if (owner === id) return;
  report.note(id, "user_email, which another user has");
  delete given.user_email;
}

function remember({ budgets }: ImportRun, row: JsonObject): void {
  const id = textIn(row, "budget_id");
  const { budget_reset_at, ...limits } = row;
  const reset = timeIn({ budget_reset_at }, "budget_reset_at");
  if (id === undefined) return;
  budgets.set(id, {
    row: { ...present(limits), ...(reset === undefined ? {} : { budget_reset_at }) },
    duration: textIn(row, "budget_duration"),
  });
}

/** Teams with their names for models, which have a table of their own. */
async function withAliases({ source }: ImportRun, rows: readonly JsonObject[]): Promise<JsonObject[]> {
  const ids = rows.flatMap(({ model_id: id }) => (typeof id === "number" ? [id] : []));
  const found = await source.find("LiteLLM_ModelTable", "id", ids);
  const aliases = new Map(found.map((row) => [row.id, row.aliases ?? row.model_aliases]));
  return rows.map((row) => ({ ...row, model_aliases: aliases.get(row.model_id) }));
}
