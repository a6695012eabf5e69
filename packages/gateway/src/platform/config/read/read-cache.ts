import { ownMember } from "../../../contract/json.ts";
import type { WireFormat } from "../../../contract/wire-format.ts";
import type { ConfigDocument } from "../document/config-document.ts";
import type { Section } from "../document/sections.ts";
import type { CacheSettings, GatewaySettings } from "../gateway-config.ts";
import { CACHED_CALL_TYPES, cacheOptions, cacheRedisOptions } from "../options/cache-options.ts";
import { readOptions } from "./read-options.ts";

const DEFAULT_TTL = 600;
const DEFAULT_NAMESPACE = "portico";
/** LiteLLM's types of calls that no endpoint of the gateway makes. */
const NO_ENDPOINT = /^a?(?:text_completion|transcription|rerank)$/;

/**
 * The response cache of `cache: true`; absent without it, and where it would be of a kind that the gateway does not
 * have.
 * @param redisUrl the Redis for answers, where one is named
 */
export function readCache(
  document: ConfigDocument,
  { path }: Section,
  { cache, cacheParams }: GatewaySettings,
  redisUrl: string | undefined,
): CacheSettings | undefined {
  const here = [...path, "cache_params"];
  if (!cache) {
    if (cacheParams !== undefined) document.warn(here, "answers are not kept without `cache: true`");
    return undefined;
  }
  const params = cacheParams ?? {};
  const settings = readOptions(document, params, here, cacheOptions, Object.keys(cacheRedisOptions));
  const type = settings.type ?? (redisUrl === undefined ? "local" : "redis");
  if (type !== "local" && type !== "redis") {
    document.warn(
      [...here, "type"],
      `${type} has no effect here, so answers are not kept; use local or redis`,
    );
    return undefined;
  }
  if (type === "redis" && redisUrl === undefined) {
    document.error([...here, "type"], "names no Redis; give `host`, `url` or REDIS_URL, or use local");
    return undefined;
  }
  const usualTtl = type === "local" ? settings.defaultInMemoryTtl : settings.defaultInRedisTtl;
  return {
    type,
    redisUrl: type === "redis" ? redisUrl : undefined,
    isOptIn: settings.mode === "default_off",
    scope: settings.scope,
    ttl: settings.ttl ?? usualTtl ?? DEFAULT_TTL,
    namespace: settings.namespace ?? DEFAULT_NAMESPACE,
    formats: readFormats(document, here, settings.supportedCallTypes),
    maxMessages: settings.maxMessages,
    maxBytes: settings.maxMemoryMb * 2 ** 20,
  };
}

function readFormats(
  document: ConfigDocument,
  path: readonly (string | number)[],
  names: readonly string[] | undefined,
): ReadonlySet<WireFormat> {
  const known: Readonly<Record<string, WireFormat>> = CACHED_CALL_TYPES;
  if (names === undefined) return new Set(Object.values(known));
  const formats = new Set<WireFormat>();
  for (const [index, name] of names.entries()) {
    const format = ownMember(known, name);
    if (format !== undefined) formats.add(format);
    else if (!NO_ENDPOINT.test(name))
      document.warn(
        [...path, "supported_call_types", index],
        `${name} is no type of call whose answers are kept`,
      );
  }
  return formats;
}
