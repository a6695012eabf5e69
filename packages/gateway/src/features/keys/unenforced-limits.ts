import { invalidRequest } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";

/**
 * LiteLLM's restrictions of keys that are not enforced here. A key that was asked for with one must not be given out
 * without it.
 */
const unenforced: ReadonlyMap<string, string> = new Map([
  ["model_max_budget", "give the key max_budget"],
  ["model_rpm_limit", "give the key rpm_limit"],
  ["model_tpm_limit", "give the key tpm_limit"],
  ["budget_id", "give the key max_budget"],
  ["budget_limits", "give the key max_budget"],
  ["allowed_routes", "a key may use every endpoint that is not for administrators"],
  ["permissions", "name hook modules under callbacks"],
  ["guardrails", "name hook modules under callbacks"],
  ["policies", "name hook modules under callbacks"],
  ["enforced_params", "a preCall hook can ask for fields"],
  ["object_permission", "objects belong to whoever made them"],
  ["aliases", "set model_alias_map in the configuration"],
]);

/**
 * @param body a request to make or change a key; empty lists, maps and null restrict nothing
 * @throws GatewayError 400 that names the restriction and what there is instead
 */
export function refuseUnenforced(body: JsonObject): void {
  for (const [name, instead] of unenforced) {
    if (restrictsNothing(body[name])) continue;
    throw invalidRequest(`${name} is not enforced by this gateway: ${instead}`, name);
  }
  const { key_type: type } = body;
  if (type === "management" || type === "read_only")
    throw invalidRequest(`key_type ${type} is not enforced by this gateway: keys call models`, "key_type");
}

function restrictsNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.values(value).every(restrictsNothing);
}
