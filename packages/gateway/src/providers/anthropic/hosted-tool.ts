import type { LanguageModelV3ProviderTool } from "@ai-sdk/provider";
import { defined } from "../../contract/json.ts";
import { readWebSearch } from "../../formats/tools/web-search.ts";

/** Anthropic's own tools as they are, and every wish for a search as Anthropic's (API reference: web search tool). */
export function messagesHostedTool(
  tool: LanguageModelV3ProviderTool,
): LanguageModelV3ProviderTool | undefined {
  if (tool.id.startsWith("anthropic.")) return tool;
  const search = readWebSearch(tool);
  if (search === undefined) return undefined;
  const { allowedDomains, blockedDomains, maxUses, location } = search;
  return {
    type: "provider",
    id: "anthropic.web_search_20250305",
    name: "web_search",
    args: defined({
      allowed_domains: allowedDomains,
      blocked_domains: blockedDomains,
      max_uses: maxUses,
      user_location: location,
    }),
  };
}
