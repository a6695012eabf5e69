import type { JsonValue } from "../util/json.ts";
import type { Directives } from "./directives.ts";

const bought: ReadonlySet<unknown> = new Set(["flex", "priority", "batch"]);

/**
 * The tier that serves a call: the one that a directive names, else the one asked for.
 * @param asked what the request says; other words than those of tiers that are bought mean the standard one
 */
export function servedTier(asked: JsonValue | undefined, { tier }: Directives, standard: string): string {
  return tier ?? (bought.has(asked) ? String(asked) : standard);
}
