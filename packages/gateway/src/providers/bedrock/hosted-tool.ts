import type { LanguageModelV3CallOptions, LanguageModelV3ProviderTool } from "@ai-sdk/provider";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { citation, readWebSearch, searchResult } from "../../formats/tools/web-search.ts";

/** The system tool that searches the web, and what its tool's id is here (Amazon Nova user guide, "Web Grounding"). */
export const GROUNDING = "nova_grounding";
const ID = `bedrock.${GROUNDING}`;

/** Models that have it: it is Nova's, and offered in the United States alone. */
const SEARCHING = /(?:^|\/)(?:us\.)?amazon\.nova-(?:premier|[2-9])/;

/** Every wish for a search as Nova's own, which takes no settings. */
export function bedrockHostedTool(
  tool: LanguageModelV3ProviderTool,
  _options: LanguageModelV3CallOptions,
  model: string,
): LanguageModelV3ProviderTool | undefined {
  if (readWebSearch(tool) === undefined || !SEARCHING.test(model)) return undefined;
  return { type: "provider", id: ID, name: GROUNDING, args: {} };
}

/** A tool of Bedrock's own as Converse takes it; `undefined` for any other. */
export function systemTool({ id, name }: LanguageModelV3ProviderTool): JsonObject | undefined {
  return id === ID ? { systemTool: { name } } : undefined;
}

/** Whether Bedrock ran this tool itself, so that no caller is to run it. */
export function ranAtBedrock({ type }: JsonObject): boolean {
  return type === "server_tool_use";
}

/** The result of a search, whose pages Bedrock hides; the texts that follow cite some. */
export function readSearchResult({ toolUseId, type, status }: JsonObject) {
  if (type !== `${GROUNDING}_result`) return [];
  return [searchResult(String(toolUseId), status === "error" ? "unavailable" : [])];
}

/** The pages that a text rests on, each once. */
export function readCitations(citations: unknown) {
  const found = new Map<string, string>();
  for (const cited of Array.isArray(citations) ? citations : []) {
    const web = isJsonObject(cited) && isJsonObject(cited.location) ? cited.location.web : undefined;
    if (!isJsonObject(web) || typeof web.url !== "string") continue;
    found.set(web.url, String(cited.title ?? web.domain ?? web.url));
  }
  return [...found].map(([url, title]) => citation(url, { url, title }));
}
