import { isJsonObject, type JsonObject } from "../../contract/json.ts";

/** The field's rule of thumb for English text and code. */
const CHARACTERS_PER_TOKEN = 4;

/** Members whose length says nothing of their tokens: pictures and files, signatures, addresses. */
const uncounted: ReadonlySet<string> = new Set(["source", "data", "signature", "cache_control"]);

/**
 * Input tokens of a Messages request by the length of its texts, for the beginning of a stream whose provider counts
 * only at the end: Anthropic's own streams begin with a count, and clients show it as it is until `message_delta`
 * brings the right one.
 */
export function roughInputTokens({ system, messages, tools }: JsonObject): number {
  return Math.ceil(charactersIn([system, messages, tools]) / CHARACTERS_PER_TOKEN);
}

/** Levels of a request that are looked at; schemas may go deeper. */
const DEEPEST = 32;

function charactersIn(value: unknown, depth = 0): number {
  if (typeof value === "string") return value.length;
  if (depth > DEEPEST) return 0;
  if (Array.isArray(value))
    return value.reduce<number>((sum, item) => sum + charactersIn(item, depth + 1), 0);
  if (!isJsonObject(value)) return 0;
  let sum = 0;
  for (const name in value) if (!uncounted.has(name)) sum += charactersIn(value[name], depth + 1);
  return sum;
}
