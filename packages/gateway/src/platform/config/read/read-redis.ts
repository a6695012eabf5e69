import type { ConfigDocument, ConfigPath } from "../document/config-document.ts";
import type { Section } from "../document/sections.ts";
import type { GatewaySettings, RouterSettings } from "../gateway-config.ts";
import { cacheRedisOptions } from "../options/cache-options.ts";
import { readOptions } from "./read-options.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where a Redis is, as LiteLLM's settings and variables say it. */
interface RedisPlace {
  readonly url: string | undefined;
  readonly host: string | undefined;
  readonly port: number | string | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly db: number | string | undefined;
  readonly ssl: boolean | undefined;
}

/** The addresses of the Redis servers that a configuration names; each is `undefined` where it names none. */
interface RedisAddresses {
  /** Through which replicas share limits. */
  readonly limits: string | undefined;
  /** For answers. */
  readonly answers: string | undefined;
}

/**
 * Addresses of Redis: for limits that of `router_settings`, else that of the response cache (`cache_params` with
 * `type: redis`), else the environment's; for answers that of the response cache, else that for limits. What the file
 * leaves out of one comes from the environment, as in LiteLLM.
 */
export function readRedis(
  document: ConfigDocument,
  router: { readonly section: Section; readonly settings: RouterSettings },
  gateway: { readonly section: Section; readonly settings: GatewaySettings },
  environment: Environment,
): RedisAddresses {
  const {
    redisUrl: url,
    redisHost: host,
    redisPort: port,
    redisPassword: password,
    redisDb: db,
  } = router.settings;
  const ofRouter = { url, host, port, password, db, username: undefined, ssl: undefined };
  const ofCache = readCachePlace(document, gateway.section.path, gateway.settings);
  const routerPath = [...router.section.path, url === undefined ? "redis_host" : "redis_url"];
  const cachePath = [...gateway.section.path, "cache_params", ofCache?.url === undefined ? "host" : "url"];
  const own = environmentPlace(environment);
  const addressAt = (place: RedisPlace | undefined, path: ConfigPath): string | undefined =>
    place === undefined || (place.url ?? place.host) === undefined
      ? undefined
      : checked(document, path, addressOf(place, environment));
  const forAnswers = addressAt(ofCache, cachePath);
  const usual = (own.url ?? own.host) === undefined ? undefined : addressOf(own, environment);
  const limits = addressAt(ofRouter, routerPath) ?? forAnswers ?? usual;
  return { limits, answers: forAnswers ?? limits };
}

function readCachePlace(
  document: ConfigDocument,
  path: ConfigPath,
  { cacheParams }: GatewaySettings,
): RedisPlace | undefined {
  if (cacheParams === undefined) return undefined;
  const here = [...path, "cache_params"];
  const place = readOptions(document, cacheParams, here, cacheRedisOptions, Object.keys(cacheParams));
  return String(cacheParams.type ?? "redis").startsWith("redis") ? place : undefined;
}

function environmentPlace(environment: Environment): RedisPlace {
  const given = (name: string): string | undefined => environment[`REDIS_${name}`] || undefined;
  return {
    url: given("URL"),
    host: given("HOST"),
    port: given("PORT"),
    username: given("USERNAME"),
    password: given("PASSWORD"),
    db: given("DB"),
    ssl: given("SSL")?.toLowerCase() === "true",
  };
}

function addressOf(place: RedisPlace, environment: Environment): string {
  if (place.url !== undefined) return place.url;
  const usual = environmentPlace(environment);
  const { host = "" } = place;
  const user = encodeURIComponent(place.username ?? usual.username ?? "");
  const password = encodeURIComponent(place.password ?? usual.password ?? "");
  const login = user === "" && password === "" ? "" : `${user}:${password}@`;
  const scheme = (place.ssl ?? usual.ssl) === true ? "rediss" : "redis";
  const name = host.includes(":") ? `[${host}]` : host;
  return `${scheme}://${login}${name}:${place.port ?? usual.port ?? 6379}/${place.db ?? usual.db ?? 0}`;
}

/** The address never shows in the message, because it may hold a password. */
function checked(document: ConfigDocument, path: ConfigPath, address: string): string {
  if (!/^rediss?:\/\//.test(address) || !URL.canParse(address))
    document.error(path, "expected the address of a Redis");
  return address;
}
