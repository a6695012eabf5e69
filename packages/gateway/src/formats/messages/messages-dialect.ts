import type { LanguageModelV3Content, LanguageModelV3GenerateResult } from "@ai-sdk/provider";
import type { AnswerContext, Dialect } from "../../contract/dialect.ts";
import type { JsonObject } from "../../contract/json.ts";
import { answerId } from "../answer-members.ts";
import { toolInputObject } from "../fields.ts";
import { packSignature, redactedDataOf, signatureOf, writeExtraContent } from "../signature.ts";
import { fromNeutralUsage, readMessagesUsage, writeMessagesUsage } from "../usage.ts";
import { MessagesEncoder, messagesErrorEvent, writeStop } from "./encoder.ts";
import { MessagesGrammar } from "./messages-grammar.ts";
import { citations, searchBlocks, searchResultBlocks, searchUsage } from "./search-blocks.ts";
import { messagesToCallOptions } from "./to-call-options.ts";

/** Anthropic's Messages. */
export const messagesDialect: Dialect = {
  format: "messages",
  toCallOptions: messagesToCallOptions,
  fromResult: messagesFromResult,
  encoder: (context, check) => new MessagesEncoder(context, check),
  grammar: () => new MessagesGrammar(),
  errorEvent: messagesErrorEvent,
  usageOf: (answer) => readMessagesUsage(answer.usage),
};

/** A neutral result as a Messages answer. */
function messagesFromResult(result: LanguageModelV3GenerateResult, context: AnswerContext): JsonObject {
  const content: JsonObject[] = [];
  for (const part of result.content) {
    if (part.type === "source") cite(content.findLast(isText), part);
    else content.push(...writeBlock(part));
  }
  return {
    id: answerId("msg_", context.callId),
    type: "message",
    role: "assistant",
    model: context.model,
    content,
    ...writeStop(
      result,
      content.some((block) => block.type === "tool_use"),
    ),
    usage: {
      ...writeMessagesUsage(fromNeutralUsage(result.usage)),
      ...searchUsage(content.filter(isSearch).length),
    },
  };
}

function isText({ type }: JsonObject): boolean {
  return type === "text";
}

function isSearch({ type }: JsonObject): boolean {
  return type === "server_tool_use";
}

function cite(block: JsonObject | undefined, source: Parameters<typeof citations>[0]): void {
  if (block === undefined) return;
  const earlier = Array.isArray(block.citations) ? block.citations : [];
  const all = [...earlier, ...citations(source)];
  block.citations = all.length === 0 ? null : all;
}

function writeBlock(part: LanguageModelV3Content): JsonObject[] {
  switch (part.type) {
    case "text":
      return part.text === "" ? [] : [{ type: "text", text: part.text, citations: null }];
    case "reasoning": {
      const data = redactedDataOf(part.providerMetadata);
      if (data !== undefined) return [{ type: "redacted_thinking", data }];
      const signature = signatureOf(part.providerMetadata);
      const packed = signature === undefined ? "" : packSignature(signature);
      return [{ type: "thinking", thinking: part.text, signature: packed }];
    }
    case "tool-call": {
      if (part.providerExecuted === true) return searchBlocks(part);
      const extra = writeExtraContent(part.providerMetadata);
      const input = toolInputObject(part.input);
      return [{ type: "tool_use", id: part.toolCallId, name: part.toolName, input, ...extra }];
    }
    case "tool-result":
      return searchResultBlocks(part);
    default:
      // Files have no block that a client of this API expects from the assistant.
      return [];
  }
}
