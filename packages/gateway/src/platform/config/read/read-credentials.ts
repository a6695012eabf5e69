import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import type { ProblemReport } from "../document/problem-report.ts";

/** `credential_list`: parameters that deployments share, by the name under which they ask for them. */
export function readCredentials(document: ProblemReport, list: unknown): ReadonlyMap<string, JsonObject> {
  const credentials = new Map<string, JsonObject>();
  if (list === undefined || list === null) return credentials;
  if (!Array.isArray(list)) {
    document.error(["credential_list"], "expected a list of credentials");
    return credentials;
  }
  for (const [index, entry] of list.entries()) {
    const name: unknown = isJsonObject(entry) ? entry.credential_name : undefined;
    const values: unknown = isJsonObject(entry) ? entry.credential_values : undefined;
    if (typeof name === "string" && isJsonObject(values)) credentials.set(name, values);
    else {
      const message = "expected a map with credential_name and credential_values";
      document.error(["credential_list", index], message);
    }
  }
  return credentials;
}
