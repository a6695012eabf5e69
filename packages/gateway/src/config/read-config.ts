import { isJsonObject, type JsonObject } from "../contract/json.ts";
import { ConfigDocument } from "./config-document.ts";
import type {
  CommandLineOverrides,
  GatewayConfig,
  GatewaySettings,
  RouterSettings,
} from "./gateway-config.ts";
import { camelCase } from "./option.ts";
import { gatewayOptions } from "./options/gateway-options.ts";
import { generalOptions } from "./options/general-options.ts";
import { routerOptions } from "./options/router-options.ts";
import { ConfigError, type Problem } from "./problem.ts";
import { readDeployments } from "./read-deployments.ts";
import { readKeys } from "./read-keys.ts";
import { readOptions, warnOfUnknown } from "./read-options.ts";
import { mergeEnvironment, resolveEnvironment } from "./resolve-environment.ts";
import { type Section, sectionOf } from "./sections.ts";

/** Parts of LiteLLM's file that describe features which the gateway does not have. */
const withoutEffect = [
  "guardrails",
  "mcp_servers",
  "credential_list",
  "vector_store_registry",
  "files_settings",
];

const topLevelKeys = [
  "model_list",
  "general_settings",
  "router_settings",
  "gateway_settings",
  "litellm_settings",
  "environment_variables",
  "keys",
];

/** Settings that LiteLLM takes in either section; `router_settings` wins. */
const sharedSettings = [
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

/**
 * Reads a configuration in LiteLLM's format.
 * @throws ConfigError with every problem found, each with its line and column
 */
export function readConfig(
  file: string,
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
  commandLine: CommandLineOverrides = {},
): ReadConfig {
  const document = new ConfigDocument(file, text);
  if (!isJsonObject(document.value)) {
    document.error([], "expected a map with model_list");
    throw new ConfigError(document.errors);
  }
  const merged = mergeEnvironment(document, environment);
  const root = resolveEnvironment(document, document.value, merged) as JsonObject;
  if ("include" in root) document.error(["include"], "is not supported; put everything into this one file");
  warnOfUnknown(document, root, [], ["include", ...topLevelKeys, ...withoutEffect]);
  for (const key of withoutEffect) if (key in root) document.warn([key], "has no effect here");

  const gateway = sectionOf(document, root, [], "gateway_settings", "litellm_settings");
  const router = sectionOf(document, root, [], "router_settings");
  const general = sectionOf(document, root, [], "general_settings");
  const gatewaySettings = readOptions(document, gateway.value, gateway.path, gatewayOptions);
  const config: GatewayConfig = {
    deployments: readDeployments(document, root.model_list),
    routerSettings: readRouterSettings(document, router, gatewaySettings),
    gatewaySettings,
    generalSettings: readOptions(document, general.value, general.path, generalOptions),
    keys: readKeys(document, root.keys),
    environment: merged,
    commandLine,
  };
  if (document.errors.length > 0) throw new ConfigError(document.errors);
  return { config, warnings: document.warnings };
}

function readRouterSettings(
  document: ConfigDocument,
  section: Section,
  gatewaySettings: GatewaySettings,
): RouterSettings {
  const own = readOptions(document, section.value, section.path, routerOptions);
  const inherited = { ...own } as Record<string, unknown>;
  for (const key of sharedSettings) {
    const name = camelCase(key);
    const shared = gatewaySettings[name as keyof GatewaySettings];
    if (section.value[key] === undefined && shared !== undefined) inherited[name] = shared;
  }
  return inherited as unknown as RouterSettings;
}
