import type { LanguageModelV3Content } from "@ai-sdk/provider";
import type { JsonObject } from "../../contract/json.ts";
import { pagesFound, type SearchCall, type SearchResult, searchedFor } from "../tools/web-search.ts";

/** A search that a provider ran as Anthropic's block (API reference: web search tool); none for any other call. */
export function searchBlocks(call: SearchCall): JsonObject[] {
  const query = searchedFor(call);
  if (query === undefined) return [];
  const input = { query };
  return [{ type: "server_tool_use", id: call.toolCallId, name: "web_search", input, caller: DIRECT }];
}

const DIRECT = { type: "direct" };

/** What a search found as Anthropic's block. The pages' contents stay with the provider that read them. */
export function searchResultBlocks(result: SearchResult): JsonObject[] {
  const pages = pagesFound(result);
  if (pages === undefined) return [];
  const content =
    typeof pages === "string"
      ? { type: "web_search_tool_result_error", error_code: pages }
      : pages.map(({ url, title }) => ({
          type: "web_search_result",
          url,
          title,
          encrypted_content: "",
          page_age: null,
        }));
  return [{ type: "web_search_tool_result", tool_use_id: result.toolCallId, content, caller: DIRECT }];
}

/** A source as Anthropic's citation; none for a document. */
export function citations(source: Extract<LanguageModelV3Content, { type: "source" }>): JsonObject[] {
  if (source.sourceType !== "url") return [];
  const { url, title } = source;
  const place = { url, title: title ?? null, cited_text: "", encrypted_index: "" };
  return [{ type: "web_search_result_location", ...place }];
}

/** The member of `usage` that counts searches; none without one. */
export function searchUsage(searches: number): JsonObject {
  if (searches === 0) return {};
  return { server_tool_use: { web_search_requests: searches, web_fetch_requests: 0 } };
}
