import type {
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3GenerateResult,
} from "@ai-sdk/provider";
import { GatewayError } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { Usage } from "../../contract/usage.ts";
import { readConverseStopReason } from "../../formats/answer-members.ts";
import { optionsFor } from "../../formats/provider-options.ts";
import { queryOf, searchCall } from "../../formats/tools/web-search.ts";
import { areCounts, count, toNeutralUsage, withServiceTier } from "../../formats/usage.ts";
import { GROUNDING, ranAtBedrock, readCitations, readSearchResult } from "./hosted-tool.ts";
import { ANSWER_TOOL } from "./to-converse.ts";

/** A Converse answer as the neutral result. */
export function fromConverse(answer: JsonObject): LanguageModelV3GenerateResult {
  const message = isJsonObject(answer.output) ? answer.output.message : undefined;
  const blocks = isJsonObject(message) ? message.content : undefined;
  if (!Array.isArray(blocks))
    throw new GatewayError(502, "api_error", "The provider's answer has no content");
  const content = blocks.flatMap(readBlock);
  const answersAsTool = !content.some((part) => part.type === "tool-call" && part.providerExecuted !== true);
  return {
    content,
    finishReason: readEnd(answer.stopReason, answersAsTool),
    usage: toNeutralUsage(readConverseUsage(answer)),
    warnings: [],
  };
}

/**
 * Why an answer ended.
 * @param withoutCalls no tool of the caller's was called, so that only the answer in a schema's shape can be meant
 */
export function readEnd(stopReason: unknown, withoutCalls: boolean): LanguageModelV3FinishReason {
  const raw = typeof stopReason === "string" ? stopReason : undefined;
  if (raw === "tool_use" && withoutCalls) return { unified: "stop", raw };
  return readConverseStopReason(raw);
}

/** Reads Converse's `usage`, whose `inputTokens` leaves out what a cache served or took, and `serviceTier`. */
export function readConverseUsage({ usage, serviceTier }: JsonObject): Usage | undefined {
  if (!isJsonObject(usage) || !areCounts(usage.inputTokens, usage.outputTokens)) return undefined;
  const cacheRead = count(usage.cacheReadInputTokens);
  const cacheWrite = count(usage.cacheWriteInputTokens);
  const input = count(usage.inputTokens) + cacheRead + cacheWrite;
  const read = { input, output: count(usage.outputTokens), cacheRead, cacheWrite, reasoning: 0 };
  return withServiceTier(read, isJsonObject(serviceTier) ? serviceTier.type : undefined);
}

function readBlock(block: unknown): LanguageModelV3Content[] {
  if (!isJsonObject(block)) return [];
  if (typeof block.text === "string") return [{ type: "text", text: block.text }];
  if (isJsonObject(block.toolUse)) return readToolUse(block.toolUse);
  if (isJsonObject(block.toolResult)) return readSearchResult(block.toolResult);
  if (isJsonObject(block.citationsContent)) return readCited(block.citationsContent);
  if (isJsonObject(block.reasoningContent)) return [readReasoning(block.reasoningContent)];
  return [];
}

function readToolUse(call: JsonObject): LanguageModelV3Content[] {
  const { toolUseId, name, input } = call;
  if (ranAtBedrock(call)) return name === GROUNDING ? [searchCall(String(toolUseId), queryOf(input))] : [];
  const text = JSON.stringify(input ?? {});
  if (name === ANSWER_TOOL) return [{ type: "text", text }];
  return [{ type: "tool-call", toolCallId: String(toolUseId), toolName: String(name), input: text }];
}

/** Citations of the text before them, or of the text that they have themselves. */
function readCited({ content, citations }: JsonObject): LanguageModelV3Content[] {
  return [...(Array.isArray(content) ? content.flatMap(readBlock) : []), ...readCitations(citations)];
}

function readReasoning({ reasoningText, redactedContent }: JsonObject): LanguageModelV3Content {
  if (!isJsonObject(reasoningText)) {
    const providerMetadata = optionsFor("anthropic", { redactedData: redactedContent });
    return { type: "reasoning", text: "", providerMetadata };
  }
  const { text, signature } = reasoningText;
  const signed = typeof signature === "string" ? { signature } : {};
  return { type: "reasoning", text: String(text), providerMetadata: optionsFor("anthropic", signed) };
}
