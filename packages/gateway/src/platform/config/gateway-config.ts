import type { Deployment } from "../../contract/deployment.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Principal } from "../../contract/principal.ts";
import type { WireFormat } from "../../contract/wire-format.ts";
import type { ConfiguredKeys } from "./configured-keys.ts";
import type { gatewayOptions } from "./options/gateway-options.ts";
import type { generalOptions } from "./options/general-options.ts";
import type { Settings } from "./options/option.ts";
import type { routerOptions } from "./options/router-options.ts";
import type { Problem } from "./problem.ts";
import type { RecordTarget } from "./read/read-callbacks.ts";
import type { NamedLists } from "./read/read-lists.ts";
import type { PassThroughEndpoint } from "./read/read-pass-through.ts";
import type { SsoSettings } from "./read/read-sso.ts";
import type { TokenSettings } from "./read/read-tokens.ts";

/** `router_settings`; the fallback settings of `gateway_settings` are already merged in. */
export type RouterSettings = Settings<typeof routerOptions> & {
  /** Aliases of `model_group_alias` that lists leave out (`hidden: true`); absent where there are none. */
  readonly hiddenAliases?: ReadonlySet<string>;
};
/** `gateway_settings` / `litellm_settings`. */
export type GatewaySettings = Settings<typeof gatewayOptions>;
/** `general_settings`. */
export type GeneralSettings = Settings<typeof generalOptions>;

/** A key given in the configuration file; only its hash is kept. */
export interface ConfiguredKey {
  readonly principal: Principal;
  /** `sk-...abcd`; only of those in the file. */
  readonly keyName?: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number | undefined;
  readonly blocked: boolean;
}

/** What the command line sets over every messages call. */
export interface CommandLineOverrides {
  readonly model?: string;
  readonly apiBase?: string;
  readonly temperature?: number;
  readonly maxTokens?: number;
  /** Seconds. */
  readonly requestTimeout?: number;
}

/** Parameters that deployments share, by the name under which they ask for them. */
export type Credentials = ReadonlyMap<string, JsonObject>;

/** How answers are kept for requests that are equal to an earlier one. */
export interface CacheSettings {
  readonly type: "local" | "redis";
  /** Of a cache in Redis; it may hold a password. */
  readonly redisUrl: string | undefined;
  /** Only requests that ask for it use the cache. */
  readonly isOptIn: boolean;
  readonly scope: "team" | "key" | "global";
  /** Seconds. */
  readonly ttl: number;
  readonly namespace: string;
  readonly formats: ReadonlySet<WireFormat>;
  readonly maxMessages: number | undefined;
  /** Of a cache in memory. */
  readonly maxBytes: number;
}

/** The whole configuration, checked and with every default filled in. Never changed in place. */
export interface GatewayConfig {
  readonly deployments: readonly Deployment[];
  readonly credentials: Credentials;
  readonly routerSettings: RouterSettings;
  readonly gatewaySettings: GatewaySettings;
  readonly generalSettings: GeneralSettings;
  readonly lists: NamedLists;
  readonly keys: ConfiguredKeys;
  /** The process environment plus `environment_variables` of the file, which win. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly commandLine: CommandLineOverrides;
  /** The Redis through which replicas share limits; its address may hold a password. */
  readonly redisUrl: string | undefined;
  /** Whose tokens are credentials beside keys; absent where nobody's are. */
  readonly tokens: TokenSettings | undefined;
  /** Where people sign in; absent where nobody can. */
  readonly sso: SsoSettings | undefined;
  /** Where records of calls are posted. */
  readonly recordTargets: readonly RecordTarget[];
  readonly passThroughEndpoints: readonly PassThroughEndpoint[];
  /** Absent where answers are not kept. */
  readonly cache: CacheSettings | undefined;
}

/** The configuration in force; it changes when the file does. */
export interface ConfigSource {
  readonly current: GatewayConfig;
  /** Calls the listener after each change; the returned function ends that. */
  subscribe(listener: (config: GatewayConfig) => void): () => void;
  /** How the file stands from which it comes; absent where it comes from none. */
  readonly file?: ConfigFile | undefined;
}

/** A configuration file: the text in force, and what is wrong with it. Times are milliseconds since the epoch. */
export interface ConfigFile {
  readonly path: string;
  readonly loadedAt: number;
  /** With its secrets. */
  readonly bytes: Uint8Array;
  readonly warnings: readonly Problem[];
  /** What stands in the file now, where that cannot be used; `bytes` is `undefined` where it cannot even be read. */
  readonly rejected: RejectedFile | undefined;
}

export interface RejectedFile {
  readonly at: number;
  readonly bytes: Uint8Array | undefined;
  /** A line each. */
  readonly problems: readonly string[];
}

/** A configuration that never changes. */
export function fixedConfig(config: GatewayConfig): ConfigSource {
  return { current: config, subscribe: () => () => {} };
}

/** Whether the configuration wants a persistent store. */
export function hasStore({
  generalSettings,
  environment,
}: Pick<GatewayConfig, "generalSettings" | "environment">): boolean {
  const url = generalSettings.databaseUrl ?? environment.DATABASE_URL;
  return generalSettings.store !== "none" && url !== "none";
}
