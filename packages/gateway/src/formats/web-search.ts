import type { LanguageModelV3ProviderTool } from "@ai-sdk/provider";
import { defined, isJsonObject, type JsonObject } from "../contract/json.ts";

/** A wish for the provider's own search in the web, whichever format it came in. */
export interface WebSearch {
  readonly allowedDomains?: readonly string[];
  readonly blockedDomains?: readonly string[];
  readonly maxUses?: number;
  /** City, region, country and time zone, in the words that OpenAI and Anthropic share. */
  readonly location?: JsonObject;
}

/** The wish of chat completions (OpenAI API reference: `web_search_options`) as a tool of the provider. */
export function chatWebSearch(options: JsonObject): LanguageModelV3ProviderTool {
  const location = isJsonObject(options.user_location) ? options.user_location.approximate : undefined;
  const user_location = isJsonObject(location) ? { type: "approximate", ...location } : undefined;
  return { type: "provider", id: "openai.web_search", name: "web_search", args: defined({ user_location }) };
}

/** What a provider's tool wants searched; `undefined` for a tool that is no search in the web. */
export function readWebSearch({ id, args }: LanguageModelV3ProviderTool): WebSearch | undefined {
  if (/^openai\.web_search(?:_preview)?(?:_\d|$)/.test(id)) {
    const filters = isJsonObject(args.filters) ? args.filters : {};
    return defined({
      allowedDomains: texts(filters.allowed_domains),
      location: locationOf(args.user_location),
    });
  }
  if (/^anthropic\.web_search_\d+$/.test(id))
    return defined({
      allowedDomains: texts(args.allowed_domains),
      blockedDomains: texts(args.blocked_domains),
      maxUses: typeof args.max_uses === "number" ? args.max_uses : undefined,
      location: locationOf(args.user_location),
    });
  if (id === "google.google_search" || id === "google.enterprise_web_search")
    return defined({ blockedDomains: texts(args.excludeDomains) });
  return undefined;
}

function texts(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : undefined;
}

function locationOf(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}
