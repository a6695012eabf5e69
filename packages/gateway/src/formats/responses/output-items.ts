import type { LanguageModelV3Content, SharedV3ProviderMetadata } from "@ai-sdk/provider";
import type { JsonObject } from "../../contract/json.ts";
import { writeExtraContent } from "../signature.ts";
import {
  pagesFound,
  type SearchCall,
  type SearchResult,
  searchedFor,
  urlCitation,
} from "../tools/web-search.ts";
import { type CallerTool, customInput } from "./caller-tools.ts";
import { packEncryptedContent } from "./encrypted-content.ts";

/** Whether an item is still being written. */
export type ItemStatus = "in_progress" | "completed" | "incomplete";

/** The one content part of a message. */
export function textPart(text: string, annotations: readonly JsonObject[] = []): JsonObject {
  return { type: "output_text", text, annotations, logprobs: [] };
}

/** A message of the assistant; without text it has no content yet. */
export function messageItem(
  id: string,
  status: ItemStatus,
  text?: string,
  annotations?: readonly JsonObject[],
): JsonObject {
  const content = text === undefined ? [] : [textPart(text, annotations)];
  return { id, type: "message", status, role: "assistant", content };
}

/** A call of one of the caller's tools, as the model made it. */
export interface ToolCall {
  readonly id: string;
  readonly tool: CallerTool;
  /** The arguments' text as far as it is written. */
  readonly input: string;
}

/** A call of one of the caller's tools: a function, within its namespace, or a custom tool with its text. */
export function toolCallItem(
  id: string,
  status: ItemStatus,
  { id: call_id, tool, input }: ToolCall,
  metadata: SharedV3ProviderMetadata | undefined,
): JsonObject {
  const named = {
    call_id,
    name: tool.name,
    ...(tool.namespace === undefined ? {} : { namespace: tool.namespace }),
  };
  const signed = writeExtraContent(metadata);
  return tool.type === "custom"
    ? { id, type: "custom_tool_call", status, ...named, input: customInput(input), ...signed }
    : { id, type: "function_call", status, ...named, arguments: input, ...signed };
}

/** Reasoning, shown as a summary; what its provider signed travels in `encrypted_content`. */
export function reasoningItem(
  id: string,
  text: string,
  metadata: SharedV3ProviderMetadata | undefined,
): JsonObject {
  const encrypted = packEncryptedContent(metadata);
  return {
    id,
    type: "reasoning",
    summary: text === "" ? [] : [{ type: "summary_text", text }],
    ...(encrypted === undefined ? {} : { encrypted_content: encrypted }),
  };
}

/**
 * A search that the provider ran (OpenAI API reference: `web_search_call`); `undefined` for any other call.
 * @param result what it found; `sources` are shown where the request asks for them
 */
export function searchItem(
  id: string,
  call: SearchCall,
  result: SearchResult | undefined,
  request: JsonObject,
): JsonObject | undefined {
  const query = searchedFor(call);
  if (query === undefined) return undefined;
  const pages = result === undefined ? [] : (pagesFound(result) ?? []);
  const shown = Array.isArray(request.include) && request.include.includes("web_search_call.action.sources");
  const sources =
    shown && typeof pages !== "string" ? { sources: pages.map(({ url }) => ({ type: "url", url })) } : {};
  const action = { type: "search", query, queries: [query], ...sources };
  const status = typeof pages === "string" ? "failed" : "completed";
  return { id, type: "web_search_call", status, action };
}

/** A source as a citation for the whole of a text; none for a document. */
export function textCitations(
  source: Extract<LanguageModelV3Content, { type: "source" }>,
  text: string,
): JsonObject[] {
  if (source.sourceType !== "url") return [];
  return [{ type: "url_citation", ...urlCitation(source, 0, text.length) }];
}
