/** Words of providers for the tier that everyone has. */
const standardWords: ReadonlySet<string> = new Set([
  "default",
  "standard",
  "auto",
  "on_demand",
  "unspecified",
  "traffic_type_unspecified",
]);

/**
 * The tier that a provider says served a call, in OpenAI's words; `undefined` for the standard one. Vertex AI says
 * `ON_DEMAND_PRIORITY`, the others `priority`.
 */
function readServiceTier(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const word = value.toLowerCase();
  return standardWords.has(word) ? undefined : word.replace(/^on_demand_/, "");
}

/** `usage` with the tier that served the call, where that is not the standard one. */
export function withServiceTier<T extends object>(usage: T, value: unknown): T & { serviceTier?: string } {
  const serviceTier = readServiceTier(value);
  return serviceTier === undefined ? usage : { ...usage, serviceTier };
}
