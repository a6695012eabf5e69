import { isDeepStrictEqual } from "node:util";
import { check } from "../../../contract/check.ts";
import { invalidRequest } from "../../../contract/errors.ts";
import { isJsonObject, type JsonObject, objectOf } from "../../../contract/json.ts";
import { closed, list, object } from "../../../contract/schema.ts";
import { priorityFault } from "../../../platform/config/read/check-priorities.ts";
import { cacheControls } from "../../call/cache-controls.ts";
import { name } from "./restriction-fields.ts";

/** What of a key's or a team's metadata is read, beside destinations of spans (`own-callbacks.ts`); the rest is free. */
const known = {
  agents: list(name()),
  tags: list(name()),
  cache: closed(cacheControls),
};

/** The parts of each limit that are kept for priorities, as the configuration has them now. */
export type PriorityShares = () => Readonly<Record<string, number>> | undefined;

/**
 * What metadata sets and would have no effect is refused: a misspelt priority would share what calls without one have.
 * What is stored already may stay, since priorities come and go with the configuration.
 * @param before the metadata so far
 * @param where the field that has it
 * @throws GatewayError 400 that names the value
 */
export function requireKnownMetadata(
  metadata: unknown,
  before: unknown,
  shares: ReturnType<PriorityShares>,
  where = "metadata",
): void {
  if (!isJsonObject(metadata)) return;
  const stored: JsonObject = objectOf(before);
  const isNew = (field: string): boolean =>
    metadata[field] != null && !isDeepStrictEqual(metadata[field], stored[field]);
  for (const [field, schema] of Object.entries(known))
    if (isNew(field))
      check(object({ [where]: object({ [field]: schema }) }), { [where]: { [field]: metadata[field] } });
  const fault =
    isNew("priority") && shares !== undefined ? priorityFault(metadata.priority, shares) : undefined;
  if (fault !== undefined) throw invalidRequest(`${where}.priority: ${fault}`, `${where}.priority`);
}
