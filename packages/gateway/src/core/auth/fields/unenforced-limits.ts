import { invalidRequest, shortened } from "../../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import type { Schema } from "../../../contract/schema.ts";
import { nameHint } from "../../../util/nearest-name.ts";

/**
 * LiteLLM's restrictions of keys that are not enforced here. A key that was asked for with one must not be given out
 * without it.
 */
export const UNENFORCED_BY_KEYS: ReadonlyMap<string, string> = new Map([
  ["budget_limits", "give the key max_budget"],
  ["permissions", "name hook modules under callbacks"],
  ["guardrails", "name hook modules under callbacks"],
  ["policies", "name hook modules under callbacks"],
  ["object_permission", "objects belong to whoever made them"],
  ["tpd_limit", "give the key tpm_limit"],
  ["tag_rpm_limit", "give the key rpm_limit"],
  ["tag_tpm_limit", "give the key tpm_limit"],
  ["mcp_rpm_limit", "give the key rpm_limit"],
  ["mcp_tpm_limit", "give the key tpm_limit"],
  ["project_id", "give the key a max_budget of its own"],
  ["end_user_budget_id", "give the key max_budget"],
  ["throttle_on_budget_exceeded", "a spent budget refuses calls"],
  ["budget_fallbacks", "a spent budget refuses calls"],
  ["access_group_ids", "give the key models"],
  ["allowed_vector_store_indexes", "there are no vector stores"],
  ["denied_passthrough_routes", "leave them out of allowed_passthrough_routes"],
  ["router_settings", "set router_settings in the configuration"],
  ["auto_rotate", "call /key/regenerate"],
  ["rotation_interval", "call /key/regenerate"],
  ["spend", "the spend of a key is what its calls cost"],
  ["agent_id", "name agents in metadata.agents"],
]);

/** Fields of LiteLLM's that restrict nothing, or that are read elsewhere. */
const WITHOUT_EFFECT = [
  "key",
  "config",
  "prompts",
  "send_invite_email",
  "rpm_limit_type",
  "tpm_limit_type",
  "disable_global_guardrails",
];

/** Fields of renewals, which other bodies may have as LiteLLM's clients send them: without effect. */
const OF_RENEWALS = ["grace_period", "new_key"];

/** These fields as they are described. */
export const unreadFields: Readonly<Record<string, Schema>> = {
  ...Object.fromEntries(
    [...UNENFORCED_BY_KEYS].map(([name, instead]) => [
      name,
      { description: `Refused where it would restrict something: ${instead}.` },
    ]),
  ),
  ...Object.fromEntries(
    [...WITHOUT_EFFECT, ...OF_RENEWALS].map((name) => [name, { description: "Has no effect." }]),
  ),
};

/**
 * @param body a request to make or change a key; empty lists, maps and null restrict nothing
 * @param read the fields that are read
 * @throws GatewayError 400 that names the restriction and what there is instead, or a field that nobody knows: a
 *   misspelt restriction would restrict nothing
 */
export function refuseUnenforced(body: JsonObject, read: readonly string[]): void {
  refuseFields(body, {
    read: [...read, ...WITHOUT_EFFECT, ...OF_RENEWALS],
    unenforced: UNENFORCED_BY_KEYS,
    kind: "keys",
  });
  for (const name of ["rpm_limit_type", "tpm_limit_type"])
    if (body[name] === "guaranteed_throughput" || body[name] === "dynamic")
      throw invalidRequest(
        `${name} ${body[name]} is not enforced by this gateway: limits are ceilings`,
        name,
      );
}

/** What a body may have. */
export interface FieldRules {
  readonly read: readonly string[];
  /** Restrictions that are not enforced, with what there is instead. */
  readonly unenforced: ReadonlyMap<string, string>;
  /** Whose fields these are, for errors. */
  readonly kind: string;
}

/** @throws GatewayError 400 that names a restriction that would not be enforced, or a field that nobody knows */
export function refuseFields(body: JsonObject, { read, unenforced, kind }: FieldRules): void {
  refuseUnknown(body, [...read, ...unenforced.keys()], kind);
  for (const [name, instead] of unenforced) {
    if (restrictsNothing(body[name]) || body[name] === false) continue;
    throw invalidRequest(`${name} is not enforced by this gateway: ${instead}`, name);
  }
}

function refuseUnknown(body: JsonObject, known: readonly string[], kind: string): void {
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const hint = nameHint(unknown, known);
  throw invalidRequest(`${shortened(unknown)} is not a field of ${kind}${hint}`, shortened(unknown));
}

/** Whether a restriction is empty. */
export function restrictsNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.values(value).every(restrictsNothing);
}
