import { check } from "../../contract/check.ts";
import type { JsonObject } from "../../contract/json.ts";
import { amount, flag, given, text } from "../../contract/schema.ts";

/** What a caller may say about the response cache, in LiteLLM's words. */
export const cacheControls = given(
  {
    "no-cache": flag("Make the call even where the cache has an answer."),
    "no-store": flag("Keep the answer of this call to the caller."),
    "use-cache": flag("Use the cache where it is `default_off`."),
    ttl: amount("Seconds for which the answer is kept.", { minimum: 0 }),
    "s-maxage": amount("Take only answers that are at most so many seconds old.", { minimum: 0 }),
    "s-max-age": amount("The same as `s-maxage`.", { minimum: 0 }),
    namespace: text("Answers of one namespace are not found in another.", { maxLength: 200 }),
  },
  "How the response cache treats the request, where there is one.",
);

/** The fields of a request body about the response cache. */
const cacheFields = given({ cache: cacheControls, caching: flag("`false`: neither look nor keep.") });

/** How one call uses the cache. */
export interface CacheControls {
  /** Look for an answer of an earlier call. */
  readonly mayLook: boolean;
  /** Keep the answer of this call. */
  readonly mayKeep: boolean;
  /** The request asks for the cache, where only such requests use it. */
  readonly isAskedFor: boolean;
  /** Seconds for which the answer is kept. */
  readonly ttl: number | undefined;
  /** Seconds of age that an answer may have. */
  readonly maxAge: number | undefined;
  readonly namespace: string;
}

/**
 * Reads `cache` and `caching` of a request.
 * @param defaults a key's own controls, in whose place the request's stand
 * @throws GatewayError 400 for a value of a wrong type
 */
export function readCacheControls(body: JsonObject, defaults: JsonObject = {}): CacheControls {
  const { cache: asked, caching } = check(cacheFields, { cache: body.cache, caching: body.caching });
  const cache = { ...defaults, ...asked };
  const uses = caching !== false;
  return {
    mayLook: uses && cache["no-cache"] !== true,
    mayKeep: uses && cache["no-store"] !== true && cache.ttl !== 0,
    isAskedFor: cache["use-cache"] === true || caching === true,
    ttl: numberOf(cache.ttl),
    maxAge: numberOf(cache["s-maxage"] ?? cache["s-max-age"]),
    namespace: typeof cache.namespace === "string" ? cache.namespace : "",
  };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
