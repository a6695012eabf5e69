import type { LanguageModelV3Content, LanguageModelV3ProviderTool } from "@ai-sdk/provider";
import { defined, isJsonObject, type JsonObject, objectOf, parseJsonObject } from "../../contract/json.ts";

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
    const filters = objectOf(args.filters);
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

type ContentOf<T extends LanguageModelV3Content["type"]> = Extract<LanguageModelV3Content, { type: T }>;
export type SearchCall = ContentOf<"tool-call">;
export type SearchResult = ContentOf<"tool-result">;

/** A page that was found or that a text cites. */
export interface FoundPage {
  readonly url: string;
  readonly title: string;
}

const SEARCH = "web_search";

/**
 * A search that the provider ran, as neutral parts: a call that it executed, and its result.
 * @param pages what was found, or the provider's code of why nothing was
 */
export function searchParts(id: string, query: string, pages: readonly FoundPage[] | string) {
  return [searchCall(id, query), searchResult(id, pages)] as const;
}

/** The call of a search that the provider ran. */
export function searchCall(toolCallId: string, query: string): SearchCall {
  const input = JSON.stringify({ query });
  return { type: "tool-call", toolCallId, toolName: SEARCH, input, providerExecuted: true };
}

/** The result of a search that the provider ran. */
export function searchResult(toolCallId: string, pages: readonly FoundPage[] | string): SearchResult {
  const isError = typeof pages === "string";
  const result = isError ? pages : pages.map(({ url, title }) => ({ url, title }));
  return { type: "tool-result", toolCallId, toolName: SEARCH, result, isError };
}

/** A page that a text cites, as the neutral part that follows the text. */
export function citation(id: string, { url, title }: FoundPage): ContentOf<"source"> {
  return { type: "source", sourceType: "url", id, url, title };
}

/** What a search is for, by the input that a model gave its provider's tool. */
export function queryOf(input: unknown): string {
  return isJsonObject(input) && typeof input.query === "string" ? input.query : "";
}

/** What a search was for; `undefined` for a call that is no search of the provider's. */
export function searchedFor({ providerExecuted, toolName, input }: SearchCall): string | undefined {
  if (providerExecuted !== true || toolName !== SEARCH) return undefined;
  return queryOf(parseJsonObject(input));
}

/** The pages that a search found, or a code of why it failed; `undefined` for the result of anything else. */
export function pagesFound({
  toolName,
  result,
  isError,
}: SearchResult): readonly FoundPage[] | string | undefined {
  if (toolName !== SEARCH) return undefined;
  if (isError === true) return typeof result === "string" ? result : "unavailable";
  return Array.isArray(result) ? result.flatMap(readPage) : [];
}

/** A page of a provider's list; none without an address. */
export function readPage(page: unknown): FoundPage[] {
  if (!isJsonObject(page) || typeof page.url !== "string") return [];
  return [{ url: page.url, title: typeof page.title === "string" ? page.title : page.url }];
}

/** OpenAI's citation of a page for a range of the text, in characters. */
export function urlCitation(
  { url, title }: ContentOf<"source"> & { sourceType: "url" },
  start: number,
  end: number,
) {
  return { start_index: start, end_index: end, title: title ?? url, url };
}
