import { invalidRequest } from "../../contract/errors.ts";
import { type JsonObject, objectOf } from "../../contract/json.ts";

/** What becomes of a field of LiteLLM's in a request body; no provider gets it. */
export type LitellmField =
  | { readonly handling: "followed" /** Where it is read, below `src`. */; readonly readIn: string }
  /** It asks for nothing that would make the answer another one. */
  | { readonly handling: "dropped" }
  /** Whoever sends it relies on it, so an answer without it would be wrong; an empty value asks for nothing. */
  | { readonly handling: "refused"; readonly reason: string };

const followedIn = (readIn: string): LitellmField => ({ handling: "followed", readIn });
const refusedBecause = (reason: string): LitellmField => ({ handling: "refused", reason });

const STEERING = followedIn("core/call/steering.ts");
const CHANGES = followedIn("core/call/request-changes.ts");
const CACHE = followedIn("core/call/cache-controls.ts");
const DROPPED: LitellmField = { handling: "dropped" };
const ADMINISTRATORS = refusedBecause("a provider's address and credentials are the administrator's");
const NO_GUARDRAILS = "hooks guard every call, and none can be chosen";
const MOCK_TEXT = refusedBecause("mock_response may be a text");

/** The fields that LiteLLM's clients send beside those of the formats; a star stands for any ending. */
export const LITELLM_FIELDS: ReadonlyMap<string, LitellmField> = new Map<string, LitellmField>([
  ["timeout", STEERING],
  ["stream_timeout", STEERING],
  ["num_retries", STEERING],
  ["fallbacks", STEERING],
  ["disable_fallbacks", STEERING],
  ["allowed_model_region", STEERING],
  ["tags", STEERING],
  ["mock_testing_fallbacks", STEERING],
  ["mock_testing_context_fallbacks", STEERING],
  ["mock_testing_content_policy_fallbacks", STEERING],
  ["mock_response", STEERING],
  ["drop_params", CHANGES],
  ["additional_drop_params", CHANGES],
  ["custom_llm_provider", followedIn("core/objects/choose-provider.ts")],
  ["allowed_openai_params", CHANGES],
  ["cache_control_injection_points", CHANGES],
  ["cache", CACHE],
  ["caching", CACHE],
  ["litellm_*", DROPPED],
  ["max_retries", DROPPED],
  ["model_info", DROPPED],
  ["no-log", DROPPED],
  ["priority", DROPPED],
  ["ttl", DROPPED],
  ["api_base", ADMINISTRATORS],
  ["base_url", ADMINISTRATORS],
  ["api_key", ADMINISTRATORS],
  ["api_version", ADMINISTRATORS],
  ["azure_ad_token", ADMINISTRATORS],
  ["user_config", ADMINISTRATORS],
  ["model_list", ADMINISTRATORS],
  ["aws_*", ADMINISTRATORS],
  ["vertex_*", ADMINISTRATORS],
  ["extra_headers", refusedBecause("headers for providers are the administrator's")],
  ["guardrails", refusedBecause(NO_GUARDRAILS)],
  ["prompt_id", refusedBecause("there is no prompt store")],
  ["vector_store_ids", refusedBecause("vector stores are named in tools")],
  ["mock_tool_calls", MOCK_TEXT],
  ["mock_timeout", MOCK_TEXT],
  ["mock_testing_rate_limit_error", refusedBecause("mock_response may be litellm.RateLimitError")],
]);

const PREFIXES = [...LITELLM_FIELDS]
  .filter(([name]) => name.endsWith("*"))
  .map(([name, field]) => [name.slice(0, -1), field] as const);

function litellmField(name: string): LitellmField | undefined {
  const field = LITELLM_FIELDS.get(name);
  if (field !== undefined) return field;
  for (const [prefix, ofPrefix] of PREFIXES) if (name.startsWith(prefix)) return ofPrefix;
  return undefined;
}

/** Entries that a field's lists have together: they are matched with models, messages and fields, while others wait. */
const MAX_ENTRIES = 1000;

/**
 * Refuses a request that asks for what the gateway does not do.
 * @throws GatewayError 400 that names the field and the reason
 */
export function refuseWithoutEffect(body: JsonObject): void {
  for (const name in body) {
    const field = litellmField(name);
    if (field?.handling === "refused" && !isEmpty(body[name]))
      throw invalidRequest(`${name} has no effect in a request: ${field.reason}`, name);
    if (field?.handling === "followed" && entriesIn(body[name]) > MAX_ENTRIES)
      throw invalidRequest(`${name}: expected at most ${MAX_ENTRIES.toLocaleString("en")} entries`, name);
  }
  for (const name of ["metadata", "litellm_metadata"]) {
    // A text may be anybody's label; LiteLLM's own form is a list.
    const { guardrails } = objectOf(body[name]);
    if (Array.isArray(guardrails) && guardrails.length > 0)
      throw invalidRequest(`${name}.guardrails has no effect in a request: ${NO_GUARDRAILS}`, name);
  }
}

/** The names of LiteLLM's fields in a request body. */
export function litellmFieldsOf(data: JsonObject): string[] {
  const found: string[] = [];
  for (const name in data) if (litellmField(name) !== undefined) found.push(name);
  return found;
}

/**
 * A request's body without LiteLLM's fields, for a provider or the database.
 * @throws GatewayError 400 for a field that would have no effect
 */
export function withoutLitellmFields(body: JsonObject): JsonObject {
  refuseWithoutEffect(body);
  const found = new Set(litellmFieldsOf(body));
  return found.size === 0
    ? body
    : Object.fromEntries(Object.entries(body).filter(([name]) => !found.has(name)));
}

/** Values in lists and members of objects, at every depth. */
function entriesIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const entries: unknown[] = Object.values(value);
  return entries.length > MAX_ENTRIES
    ? entries.length
    : entries.reduce<number>((sum, entry) => sum + entriesIn(entry), entries.length);
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)
  );
}
