import type { ConfigDocument, ConfigPath } from "./config-document.ts";
import type { GatewaySettings, RouterSettings } from "./gateway-config.ts";
import { cacheRedisOptions } from "./options/redis-options.ts";
import { readOptions } from "./read-options.ts";
import type { Section } from "./sections.ts";

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

/**
 * Address of the Redis through which replicas share limits: that of `router_settings`, else that of the response cache
 * (`cache_params` with `type: redis`), else the environment's. What the file leaves out of one comes from the
 * environment, as in LiteLLM. `undefined` where none is named.
 */
export function readRedis(
  document: ConfigDocument,
  router: { readonly section: Section; readonly settings: RouterSettings },
  gateway: { readonly section: Section; readonly settings: GatewaySettings },
  environment: Environment,
): string | undefined {
  const {
    redisUrl: url,
    redisHost: host,
    redisPort: port,
    redisPassword: password,
    redisDb: db,
  } = router.settings;
  const ofRouter = { url, host, port, password, db, username: undefined, ssl: undefined };
  const ofCache = readCache(document, gateway.section.path, gateway.settings);
  const places: readonly [RedisPlace | undefined, ConfigPath][] = [
    [ofRouter, [...router.section.path, url === undefined ? "redis_host" : "redis_url"]],
    [ofCache, [...gateway.section.path, "cache_params", ofCache?.url === undefined ? "host" : "url"]],
  ];
  for (const [place, path] of places) {
    if (place === undefined || (place.url ?? place.host) === undefined) continue;
    return checked(document, path, addressOf(place, environment));
  }
  const own = environmentPlace(environment);
  return (own.url ?? own.host) === undefined ? undefined : addressOf(own, environment);
}

function readCache(
  document: ConfigDocument,
  path: ConfigPath,
  { cacheParams }: GatewaySettings,
): RedisPlace | undefined {
  if (cacheParams === undefined) return undefined;
  const here = [...path, "cache_params"];
  const isRedis = String(cacheParams.type ?? "redis").startsWith("redis");
  const use = isRedis ? "; limits are shared through its Redis" : "";
  document.warn(here, `there is no response cache${use}`);
  return isRedis
    ? readOptions(document, cacheParams, here, cacheRedisOptions, Object.keys(cacheParams))
    : undefined;
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
