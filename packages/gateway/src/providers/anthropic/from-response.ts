import type {
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  SharedV3ProviderMetadata,
} from "@ai-sdk/provider";
import { GatewayError } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { readStopReason } from "../../formats/answer-members.ts";
import { optionsFor } from "../../formats/provider-options.ts";
import { citation, queryOf, readPage, searchCall, searchResult } from "../../formats/tools/web-search.ts";
import { readMessagesUsage, toNeutralUsage } from "../../formats/usage.ts";

/** A Messages answer as the neutral result. */
export function fromMessagesResponse(answer: JsonObject): LanguageModelV3GenerateResult {
  if (!Array.isArray(answer.content)) {
    throw new GatewayError(502, "api_error", "The provider's answer has no content");
  }
  return {
    content: answer.content.flatMap(readBlock),
    ...readEnd(answer),
    usage: toNeutralUsage(readMessagesUsage(answer.usage)),
    warnings: [],
  };
}

/** Why an answer ended, and at which stop sequence. */
export function readEnd(answer: JsonObject): Pick<LanguageModelV3GenerateResult, "finishReason"> & {
  providerMetadata?: SharedV3ProviderMetadata;
} {
  const finishReason = readStopReason(
    typeof answer.stop_reason === "string" ? answer.stop_reason : undefined,
  );
  const stopSequence = answer.stop_sequence;
  if (typeof stopSequence !== "string") return { finishReason };
  return { finishReason, providerMetadata: optionsFor("anthropic", { stopSequence }) };
}

function readBlock(block: unknown): LanguageModelV3Content[] {
  if (!isJsonObject(block)) return [];
  switch (block.type) {
    case "text":
      return [{ type: "text", text: String(block.text) }, ...readCitations(block.citations)];
    case "thinking": {
      const providerMetadata = optionsFor("anthropic", { signature: block.signature });
      return [{ type: "reasoning", text: String(block.thinking), providerMetadata }];
    }
    case "redacted_thinking":
      return [
        {
          type: "reasoning",
          text: "",
          providerMetadata: optionsFor("anthropic", { redactedData: block.data }),
        },
      ];
    case "tool_use":
      return [
        {
          type: "tool-call",
          toolCallId: String(block.id),
          toolName: String(block.name),
          input: JSON.stringify(block.input ?? {}),
        },
      ];
    case "server_tool_use":
      return block.name === "web_search" ? [searchCall(String(block.id), queryOf(block.input))] : [];
    case "web_search_tool_result":
      return [readSearchResult(block)];
    default:
      return [];
  }
}

/** What a search of Anthropic's found, or its code of why nothing. */
export function readSearchResult({ tool_use_id: id, content }: JsonObject) {
  const code = isJsonObject(content) ? String(content.error_code ?? "unavailable") : undefined;
  return searchResult(String(id), code ?? (Array.isArray(content) ? content.flatMap(readPage) : []));
}

/** The pages that a text rests on, each once. */
export function readCitations(citations: unknown) {
  const found = Array.isArray(citations) ? citations.filter(isWebCitation).flatMap(readPage) : [];
  return [...new Map(found.map((page) => [page.url, page])).values()].map((page) => citation(page.url, page));
}

function isWebCitation(value: unknown): boolean {
  return isJsonObject(value) && value.type === "web_search_result_location";
}
