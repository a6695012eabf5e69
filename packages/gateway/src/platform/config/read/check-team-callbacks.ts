import { isJsonObject } from "../../../contract/json.ts";
import type { ConfigDocument, ConfigPath } from "../document/config-document.ts";
import { ownVarsOf } from "../options/otlp-targets.ts";
import { callbacksOf, varsOf } from "../options/team-callbacks.ts";

/**
 * Warns of callbacks of teams that get no span, and of what no callback takes.
 * @param path of the settings of the gateway
 * @param given `default_team_settings` as it stands in the file
 */
export function checkTeamCallbacks(document: ConfigDocument, path: ConfigPath, given: unknown): void {
  if (!Array.isArray(given)) return;
  for (const [index, entry] of given.entries()) {
    if (!isJsonObject(entry)) continue;
    const at = [...path, "default_team_settings", index];
    const named = callbacksOf(entry);
    for (const { list, name, fault } of named)
      if (fault !== undefined)
        document.warn(
          [...at, list],
          `${name} has no effect for this team: ${fault}; name one of the traces' services`,
        );
    const known = new Set(named.flatMap(({ name }) => ownVarsOf(name)));
    const within = entry.callback_vars == null ? [] : ["callback_vars"];
    for (const name of Object.keys(varsOf(entry)))
      if (!known.has(name))
        document.warn([...at, ...within, name], "has no effect here: no callback of the team takes it");
  }
}
