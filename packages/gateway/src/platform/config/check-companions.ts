import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { ConfigDocument, ConfigPath } from "./config-document.ts";

/** Options that have no effect without others, by the section that they stand in. */
const needs = {
  litellm_settings: {
    budget_duration: ["max_budget"],
    internal_user_budget_duration: ["max_internal_user_budget"],
    priority_reservation_settings: ["priority_reservation"],
  },
  general_settings: { maximum_spend_logs_retention_interval: ["maximum_spend_logs_retention_period"] },
  keys: { budget_duration: ["max_budget"], max_rollover: ["max_budget", "budget_duration"] },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** Warns of options whose companion is missing. @param path of the map that they stand in */
export function checkCompanions(
  document: ConfigDocument,
  path: ConfigPath,
  value: JsonObject,
  section: keyof typeof needs,
): void {
  for (const [name, companions] of Object.entries<readonly string[]>(needs[section])) {
    const missing = value[name] == null ? [] : companions.filter((each) => value[each] == null);
    if (missing.length > 0) document.warn([...path, name], `has no effect without ${missing.join(" and ")}`);
  }
}

/** The same of each entry of `keys`. */
export function checkCompanionsOfKeys(document: ConfigDocument, keys: unknown): void {
  for (const [index, entry] of (Array.isArray(keys) ? keys : []).entries())
    if (isJsonObject(entry)) checkCompanions(document, ["keys", index], entry, "keys");
}
