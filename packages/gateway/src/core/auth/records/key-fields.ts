import { check } from "../../../contract/check.ts";
import { invalidRequest } from "../../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import { ROLES, type Role } from "../../../contract/principal.ts";
import { closed, given, list, type Schema, type ValueOf, word } from "../../../contract/schema.ts";
import { parseDuration } from "../../../util/duration.ts";
import { increaseFields, modelLimitFields, requireModelLimits } from "../fields/model-scopes.ts";
import {
  count,
  dollars,
  length,
  metadata,
  modelAliases,
  name,
  passThroughRoutes,
  requireAddresses,
  requireTime,
  restrictionFields,
  rollover,
} from "../fields/restriction-fields.ts";
import { refuseUnenforced, unreadFields } from "../fields/unenforced-limits.ts";
import type { KeyRow } from "./keys-table.ts";

/** What a key may be for; each type stands for a group of routes. */
const KEY_TYPES = ["default", "llm_api", "management", "read_only"] as const;

/** What a key can be given, in LiteLLM's words. `null` takes a limit away. */
const keyFields = {
  key_alias: name("A name for it in lists and logs."),
  duration: length("How long it is accepted"),
  ...restrictionFields,
  allowed_passthrough_routes: passThroughRoutes,
  max_budget: dollars("US dollars per `budget_duration`, or in all."),
  budget_duration: length("A budget window"),
  max_rollover: rollover,
  soft_budget: dollars("Has alerts sent when it is spent, and refuses nothing."),
  budget_id: name("The budget whose limits hold where the key has none of its own."),
  rpm_limit: count("Requests per minute."),
  tpm_limit: count("Tokens per minute."),
  max_parallel_requests: count("Calls in flight at the same moment."),
  user_id: name("Whose it is."),
  user_role: word(ROLES, "What it may do; `proxy_admin` may do everything."),
  team_id: name("The team whose objects it shares and whose limits hold for it too."),
  organization_id: name("The organization whose limits hold for it too."),
  metadata: metadata("Free; `agents` lists the agents it sees."),
  team_metadata: metadata("Free; `agents` lists the agents its team sees."),
  aliases: modelAliases("Names for models: a call of the one becomes a call of the other."),
  key_type: word(
    KEY_TYPES,
    "`llm_api` calls models only, `management` manages only, `read_only` looks only.",
  ),
  ...increaseFields,
  ...modelLimitFields,
  allowed_cache_controls: list(
    name(),
    "What its calls may say of the response cache (`no-cache`, `ttl`, ...); none means everything.",
    { maxItems: 1000 },
  ),
  tags: list(name(), "Of its calls, in the spend log.", { maxItems: 1000 }),
};

const keySchema = given(keyFields);

type KeyFields = ValueOf<typeof keySchema>;

/** What a key was given beside the columns of its row, by LiteLLM's names. */
export type KeySettings = Omit<Pick<KeyFields, (typeof settingNames)[number]>, "key_type"> & {
  readonly key_type?: KeyFields["key_type"] | typeof SESSION;
  /** The role that the user of a session had itself when it signed in. */
  readonly user_role_then?: Role;
  /** The rules by which the user of a session signed in. */
  readonly sign_in_rules?: string;
  /** See `ofOneHolder`; nobody can ask for it. */
  readonly held_by_others?: true | undefined;
  /** The hash of its first text where it was renewed, by which what it has made is known. */
  readonly owner_hash?: string;
  /** When it was renewed last, in milliseconds since the epoch. */
  readonly renewed_at?: number;
};

export function keySettings(row: Pick<KeyRow, "settings">): KeySettings {
  return JSON.parse(row.settings) as KeySettings;
}

/** The type of the keys that people get who sign in; nobody can ask for one. */
export const SESSION = "session";

/** Whether somebody got the key by signing in. */
export function isSession({ settings }: Partial<Pick<KeyRow, "settings">>): boolean {
  return settings !== undefined && keySettings({ settings }).key_type === SESSION;
}

/** Fields that are kept together as JSON. */
const settingNames = [
  "allowed_routes",
  "enforced_params",
  "allowed_ips",
  "allowed_passthrough_routes",
  "allowed_cache_controls",
  "soft_budget",
  "max_rollover",
  "budget_id",
  "aliases",
  "key_type",
  "temp_budget_increase",
  "temp_budget_expiry",
  "model_max_budget",
  "model_rpm_limit",
  "model_tpm_limit",
] as const satisfies readonly (keyof KeyFields)[];

/** A body that makes or changes a key; LiteLLM's other fields are read only so far as they might restrict something. */
export function keyBody<const M extends Readonly<Record<string, Schema>>>(members: M) {
  return closed(given({ ...unreadFields, ...keyFields, ...members }));
}

/**
 * The columns that a request sets; fields that it does not name are left out.
 * @param stored the key so far, of which metadata and settings stay that the request does not name
 * @throws GatewayError 400 naming the field, also an unknown one and a restriction that would not be enforced
 */
export function readKeyFields(
  body: JsonObject,
  now: number,
  stored: Pick<KeyRow, "metadata" | "settings"> = { metadata: "{}", settings: "{}" },
): Partial<KeyRow> {
  refuseUnenforced(body, Object.keys(keyFields));
  const fields = check(keySchema, body);
  requireAddresses(fields.allowed_ips);
  requireModelLimits(body);
  const columns: Partial<KeyRow> = {};
  for (const name of plainColumns) if (fields[name] !== undefined) columns[name] = fields[name] as never;
  if (fields.duration !== undefined)
    columns.expires_at =
      fields.duration === null ? null : requireTime(now + parseDuration(fields.duration)!, "duration");
  if (fields.user_role != null) columns.user_role = fields.user_role;
  if (fields.models !== undefined) columns.models = JSON.stringify(fields.models ?? []);
  const { tags, metadata = tags == null ? undefined : (JSON.parse(stored.metadata) as JsonObject) } = fields;
  if (metadata !== undefined)
    columns.metadata = JSON.stringify({ ...metadata, ...(tags == null ? {} : { tags }) });
  if (fields.team_metadata !== undefined) columns.team_metadata = JSON.stringify(fields.team_metadata ?? {});
  if (fields.blocked != null) columns.blocked = fields.blocked ? 1 : 0;
  const settings = merged(JSON.parse(stored.settings) as JsonObject, fields);
  if (settings !== stored.settings) columns.settings = settings;
  return columns;
}

/** Whether a key is a team's and nobody's. */
export function isServiceAccount({ metadata }: Partial<KeyRow>): boolean {
  return metadata?.includes('"service_account_id"') === true;
}

/** The settings after a request, as JSON; `null` and what restricts nothing take one away. */
function merged(stored: JsonObject, fields: KeyFields): string {
  const settings = { ...stored };
  for (const name of settingNames) {
    const value = fields[name];
    if (value === undefined) continue;
    if (isEmpty(value) || (name === "key_type" && value === "default")) delete settings[name];
    else settings[name] = value;
  }
  return JSON.stringify(settings);
}

function isEmpty(value: unknown): boolean {
  if (value === null || (Array.isArray(value) && value.length === 0)) return true;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/**
 * Until when the old text of a renewed key is accepted, in milliseconds since the epoch.
 * @throws GatewayError 400 for a length of time that is none
 */
export function readGracePeriod(text: string | null | undefined, now: number): number | undefined {
  if (text === undefined || text === null || text === "") return undefined;
  const time = parseDuration(text);
  if (time === undefined)
    throw invalidRequest("grace_period: expected a length of time such as 30s, 12h or 2d", "grace_period");
  return requireTime(now + time, "grace_period");
}

/** Fields that are columns as they are. */
const plainColumns = [
  "key_alias",
  "max_budget",
  "budget_duration",
  "rpm_limit",
  "tpm_limit",
  "max_parallel_requests",
  "user_id",
  "team_id",
  "organization_id",
  "allowed_model_region",
] as const satisfies readonly (keyof KeyRow & keyof KeyFields)[];
