import { isJsonObject, type JsonObject, objectOf } from "../../../contract/json.ts";
import { keyProblem } from "../../../contract/principal.ts";
import { ConfigDocument } from "../document/config-document.ts";
import { includeFiles, type OpenIncluded } from "../document/include-files.ts";
import { mergeEnvironment, resolveEnvironment } from "../document/resolve-environment.ts";
import { type Section, sectionOf } from "../document/sections.ts";
import type {
  CommandLineOverrides,
  GatewayConfig,
  GatewaySettings,
  GeneralSettings,
  RouterSettings,
} from "../gateway-config.ts";
import { builtInCallbacks, isModulePath, METRICS_CALLBACK } from "../options/callbacks.ts";
import { gatewayOptions } from "../options/gateway-options.ts";
import { generalOptions } from "../options/general-options.ts";
import { camelCase } from "../options/option.ts";
import {
  missingFor,
  traceDestinations,
  unreachableTargets,
  unspokenProtocols,
} from "../options/otlp-targets.ts";
import { routerOptions } from "../options/router-options.ts";
import { ConfigError, type Problem } from "../problem.ts";
import { checkConfig } from "./check-config.ts";
import { checkTeamCallbacks } from "./check-team-callbacks.ts";
import { warnOfVariables, withDatabaseUrl } from "./litellm-environment.ts";
import { warnOfMisplaced } from "./misplaced-options.ts";
import { readCache } from "./read-cache.ts";
import { readCallbacks } from "./read-callbacks.ts";
import { readCredentials } from "./read-credentials.ts";
import { readDeployments } from "./read-deployments.ts";
import { MIN_KEY, readKeys } from "./read-keys.ts";
import { readLists } from "./read-lists.ts";
import { readOptions, warnOfUnknown } from "./read-options.ts";
import { readPassThrough } from "./read-pass-through.ts";
import { readRedis } from "./read-redis.ts";
import { readSso } from "./read-sso.ts";
import { readTokens } from "./read-tokens.ts";

/** Parts of LiteLLM's file that describe features which the gateway does not have. */
const withoutEffect = [
  "mcp_servers",
  "mcp_tools",
  "vector_store_registry",
  "files_settings",
  "finetune_settings",
  "assistant_settings",
  "prompts",
  "search_tools",
  "sandbox_tools",
  "worker_registry",
];

/** Of these, someone expects protection. */
const notEnforced = ["guardrails", "policies", "policy_attachments"];

const topLevelKeys = [
  "model_list",
  "credential_list",
  "general_settings",
  "router_settings",
  "gateway_settings",
  "litellm_settings",
  "environment_variables",
  "callback_settings",
  "keys",
];

/** Settings that LiteLLM takes in either section; `router_settings` wins. */
const sharedSettings = [
  "cooldown_time",
  "num_retries",
  "fallbacks",
  "context_window_fallbacks",
  "content_policy_fallbacks",
  "default_fallbacks",
  "allowed_fails",
] as const;

/** What the text of a configuration file comes to. */
export interface ReadConfig {
  readonly config: GatewayConfig;
  readonly warnings: readonly Problem[];
}

/** What reading depends on beyond the text and the environment. */
export interface ReadContext {
  /** Names that a model's prefix may have; others raise a warning. None is checked where this is absent. */
  readonly providers?: readonly string[];
  /** Absent where files cannot be included. */
  readonly open?: OpenIncluded;
}

/**
 * Reads a configuration in LiteLLM's format.
 * @throws ConfigError with every problem found, each with its line and column
 */
export function readConfig(
  file: string,
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
  commandLine: CommandLineOverrides = {},
  context: ReadContext = {},
): ReadConfig {
  const document = new ConfigDocument(file, text);
  if (!isJsonObject(document.value)) {
    document.error([], "expected a map with model_list");
    throw new ConfigError(document.errors);
  }
  includeFiles(document, context.open);
  const merged = withDatabaseUrl(mergeEnvironment(document, environment));
  const root = resolveEnvironment(document, document.value, merged) as JsonObject;
  warnOfSections(document, root);
  warnOfVariables(document, merged);

  const gateway = sectionOf(document, root, [], "gateway_settings", "litellm_settings");
  const router = sectionOf(document, root, [], "router_settings");
  const general = sectionOf(document, root, [], "general_settings");
  const gatewaySettings = readOptions(
    document,
    gateway.value,
    gateway.path,
    gatewayOptions,
    warnOfMisplaced(document, gateway, "litellm_settings"),
  );
  const records = readCallbacks(document, root, gatewaySettings, merged);
  warnOfCallbacks(document, gateway, gatewaySettings, merged, records.names);
  checkTeamCallbacks(document, gateway.path, gateway.value.default_team_settings);
  const routerSettings = readRouterSettings(document, router, gatewaySettings);
  const credentials = readCredentials(document, root.credential_list);
  const redis = readRedis(
    document,
    { section: router, settings: routerSettings },
    { section: gateway, settings: gatewaySettings },
    merged,
  );
  const generalSettings = readGeneralSettings(document, general, merged);
  const config: GatewayConfig = {
    deployments: readDeployments(document, root, {
      credentials,
      router: routerSettings,
      providers: context.providers,
    }),
    credentials,
    routerSettings,
    gatewaySettings,
    generalSettings,
    lists: readLists(document, gateway.path, gatewaySettings, context.open),
    keys: readKeys(document, root.keys, generalSettings.masterKey),
    environment: merged,
    commandLine,
    redisUrl: redis.limits,
    sso: readSso(document, general, merged),
    recordTargets: records.targets,
    passThroughEndpoints: readPassThrough(document, general, merged),
    tokens: readTokens(document, general, merged, generalSettings.enableJwtAuth),
    cache: readCache(document, gateway, gatewaySettings, redis.answers),
  };
  checkConfig(document, { root, gateway, router, general }, config, context.providers ?? []);
  if (document.errors.length > 0) document.refuse();
  return { config, warnings: document.warnings };
}

function warnOfSections(document: ConfigDocument, root: JsonObject): void {
  const known = new Set(["include", ...topLevelKeys, ...withoutEffect, ...notEnforced]);
  // Keys that begin so hold YAML anchors by custom.
  const anchors = Object.keys(root).filter((key) => key.startsWith("x-"));
  warnOfUnknown(document, root, [], [...known, ...anchors]);
  for (const key of withoutEffect) if (key in root) document.warn([key], "has no effect here");
  for (const key of notEnforced) {
    if (key in root)
      document.warn(
        [key],
        "is NOT ENFORCED here: name hook modules under `callbacks`, or patterns in `guard`",
      );
  }
}

/** LiteLLM's names of integrations and of Python objects, some of which guard the calls. */
function warnOfCallbacks(
  document: ConfigDocument,
  { path }: Section,
  settings: GatewaySettings,
  environment: Readonly<Record<string, string | undefined>>,
  ofRecords: readonly string[],
): void {
  // Its address may carry a secret.
  for (const name of unreachableTargets(settings, environment))
    document.error(
      path,
      `${name}: the address to send to is no URL with http or https; set it right in the environment (OTEL_EXPORTER_OTLP_ENDPOINT, or the service's own variable)`,
    );
  for (const protocol of unspokenProtocols(settings, environment))
    document.warn(
      path,
      `OTLP over ${protocol} (OTEL_EXPORTER_OTLP_PROTOCOL) is not spoken here: expected http/protobuf or http/json; ` +
        "http/protobuf is sent, which collectors take on port 4318",
    );
  const { callbacks, successCallback, failureCallback } = settings;
  const builtIn: readonly string[] = [
    ...builtInCallbacks,
    METRICS_CALLBACK,
    ...traceDestinations,
    "generic_api",
  ];
  const lists = { callbacks, success_callback: successCallback, failure_callback: failureCallback };
  for (const [list, entries] of Object.entries(lists)) {
    for (const [index, entry] of entries.entries()) {
      const at = [...path, list, index];
      const missing = missingFor(entry, environment);
      if (missing.length > 0)
        document.warn(at, `${entry} needs ${missing.join(" and ")} in the environment; no spans go there`);
      if (traceDestinations.includes(entry) || ofRecords.includes(entry)) continue;
      if (entry.startsWith("dynamic_rate_limiter") && settings.priorityReservation !== undefined) continue;
      if (entry === "blocked_user_check" && settings.blockedUserList.length > 0) continue;
      if (entry === "banned_keywords" && settings.bannedKeywordsList.length > 0) continue;
      if (entry === METRICS_CALLBACK) continue;
      if (list === "callbacks" && (isModulePath(entry) || builtIn.includes(entry))) continue;
      const expected =
        list === "callbacks"
          ? `expected a module's path (.js, .mjs, .ts) or one of ${builtIn.join(", ")}`
          : `name a hook module under \`callbacks\`, or one of ${[...traceDestinations, "generic_api"].join(", ")}`;
      document.warn(at, `${entry} has no effect here: ${expected}`);
    }
  }
}

/** The names under which LiteLLM and Portico look for what the file leaves out. */
const masterKeyVariables = ["PORTICO_MASTER_KEY", "LITELLM_MASTER_KEY"];
const saltKeyVariables = ["PORTICO_SALT_KEY", "LITELLM_SALT_KEY"];

function readGeneralSettings(
  document: ConfigDocument,
  { value, path }: Section,
  environment: Readonly<Record<string, string | undefined>>,
): GeneralSettings {
  const misplaced = warnOfMisplaced(document, { value, path }, "general_settings");
  const settings = readOptions(document, value, path, generalOptions, misplaced);
  const first = (names: readonly string[]) => names.find((name) => environment[name]);
  const variable = settings.masterKey === undefined ? first(masterKeyVariables) : undefined;
  const masterKey = settings.masterKey ?? environment[variable ?? ""];
  const keyPath = [...path, "master_key"];
  const problem = masterKey === undefined ? undefined : keyProblem(masterKey);
  if (problem !== undefined)
    document.error(keyPath, variable === undefined ? problem : `${variable} of the environment ${problem}`);
  else if (masterKey !== undefined && masterKey.length < MIN_KEY)
    document.warn(keyPath, `has fewer than ${MIN_KEY} characters and can be guessed; choose a longer one`);
  // A key made instead would differ from replica to replica, and nobody who has the right one could enter.
  if (masterKey === undefined && document.textAt(keyPath) !== undefined)
    document.error(
      keyPath,
      "names an environment variable that is not set; set it, or leave master_key out to have one made",
    );
  return { ...settings, masterKey, saltKey: settings.saltKey ?? environment[first(saltKeyVariables) ?? ""] };
}

function readRouterSettings(
  document: ConfigDocument,
  section: Section,
  gatewaySettings: GatewaySettings,
): RouterSettings {
  const misplaced = warnOfMisplaced(document, section, "router_settings");
  const own = readOptions(document, section.value, section.path, routerOptions, misplaced);
  const inherited = { ...own } as Record<string, unknown>;
  for (const key of sharedSettings) {
    const name = camelCase(key);
    const shared = gatewaySettings[name as keyof GatewaySettings];
    if (section.value[key] === undefined && shared !== undefined) inherited[name] = shared;
  }
  const hidden = Object.entries(objectOf(section.value.model_group_alias))
    .filter(([, target]) => objectOf(target).hidden === true)
    .map(([alias]) => alias);
  if (hidden.length > 0) inherited.hiddenAliases = new Set(hidden);
  return inherited as unknown as RouterSettings;
}
