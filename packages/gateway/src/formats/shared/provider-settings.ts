import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { type JsonObject, objectOf } from "../../contract/json.ts";
import { providerSettings } from "../../platform/config/options/deployment-options.ts";

/** Key of `providerOptions` under which the call and the providers exchange these settings. */
const SETTINGS_KEY = "portico-settings";

/**
 * The call with the settings that only its provider has a meaning for. What the deployment sets, such as a guardrail,
 * comes before what the request asks for.
 */
export function withProviderSettings(
  options: LanguageModelV3CallOptions,
  params: JsonObject,
  body: JsonObject,
): LanguageModelV3CallOptions {
  const settings: JsonObject = {};
  for (const name of providerSettings) {
    const value = params[name] ?? body[name];
    if (value !== undefined && value !== null) settings[name] = value;
  }
  if (Object.keys(settings).length === 0) return options;
  const { providerOptions } = options;
  return { ...options, providerOptions: { ...providerOptions, [SETTINGS_KEY]: settings as never } };
}

/** The settings of these names, as far as the call has them. */
export function readProviderSettings(
  { providerOptions }: LanguageModelV3CallOptions,
  names: readonly (typeof providerSettings)[number][],
): JsonObject {
  const settings = objectOf(providerOptions?.[SETTINGS_KEY]);
  return Object.fromEntries(names.filter((name) => name in settings).map((name) => [name, settings[name]]));
}
