import type { LanguageModelV3Content, LanguageModelV3GenerateResult } from "@ai-sdk/provider";
import type { AnswerContext } from "../../contract/dialect.ts";
import type { JsonObject } from "../../contract/json.ts";
import { answerId, endOf, writeChatFinishReason } from "../answer-members.ts";
import { packSignature, redactedDataOf, signatureOf, writeExtraContent } from "../signature.ts";
import { urlCitation } from "../tools/web-search.ts";
import { fromNeutralUsage, writeChatUsage } from "../usage.ts";

type Of<T extends LanguageModelV3Content["type"]> = Extract<LanguageModelV3Content, { type: T }>;

/** A neutral result as a chat completion. */
export function chatFromResult(result: LanguageModelV3GenerateResult, context: AnswerContext): JsonObject {
  const calls = pick(result, "tool-call").filter((call) => call.providerExecuted !== true);
  const usage = fromNeutralUsage(result.usage);
  return {
    id: answerId("chatcmpl-", context.callId),
    object: "chat.completion",
    created: context.created,
    model: context.model,
    choices: [
      {
        index: 0,
        message: writeMessage(result, calls),
        logprobs: null,
        finish_reason: finishReason(result, calls.length > 0),
      },
    ],
    ...(usage === undefined ? {} : { usage: writeChatUsage(usage) }),
    ...(usage?.serviceTier === undefined ? {} : { service_tier: usage.serviceTier }),
  };
}

/**
 * `finish_reason`; hosts that say "stop" although they call a tool are corrected.
 * @throws GatewayError 502 for an answer that was broken off
 */
export function finishReason(
  end: Pick<LanguageModelV3GenerateResult, "finishReason" | "usage">,
  callsTools: boolean,
): string {
  const reason = endOf(end);
  return callsTools && reason === "stop" ? "tool_calls" : writeChatFinishReason(reason);
}

/** One of `thinking_blocks`: reasoning with what its provider signed, so that the next turn can give it back. */
export function thinkingBlock(
  part: Pick<Of<"reasoning">, "text" | "providerMetadata">,
): JsonObject | undefined {
  const data = redactedDataOf(part.providerMetadata);
  if (data !== undefined) return { type: "redacted_thinking", data };
  const signature = signatureOf(part.providerMetadata);
  if (signature === undefined) return undefined;
  return { type: "thinking", thinking: part.text, signature: packSignature(signature) };
}

function writeMessage(result: LanguageModelV3GenerateResult, calls: readonly Of<"tool-call">[]): JsonObject {
  const text = pick(result, "text")
    .map((part) => part.text)
    .join("");
  const reasoning = pick(result, "reasoning");
  const thought = reasoning.map((part) => part.text).join("");
  const blocks = reasoning.map(thinkingBlock).filter((block) => block !== undefined);
  const images = pick(result, "file").filter((file) => file.mediaType.startsWith("image/"));
  const annotations = citationsIn(result.content);
  return {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    refusal: null,
    ...(thought === "" ? {} : { reasoning_content: thought }),
    ...(blocks.length === 0 ? {} : { thinking_blocks: blocks }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(writeToolCall) }),
    ...(images.length === 0 ? {} : { images: images.map(writeImage) }),
    ...(annotations.length === 0 ? {} : { annotations }),
  };
}

function writeToolCall(call: Of<"tool-call">): JsonObject {
  return {
    id: call.toolCallId,
    type: "function",
    function: { name: call.toolName, arguments: call.input },
    ...writeExtraContent(call.providerMetadata),
  };
}

/** Pictures that a model made, in the member that OpenRouter and LiteLLM use. */
function writeImage(file: Of<"file">): JsonObject {
  const data = typeof file.data === "string" ? file.data : Buffer.from(file.data).toString("base64");
  return { type: "image_url", image_url: { url: `data:${file.mediaType};base64,${data}` } };
}

/** Each source cites the text before it. */
function citationsIn(content: readonly LanguageModelV3Content[]): JsonObject[] {
  let start = 0;
  let end = 0;
  return content.flatMap((part) => {
    if (part.type === "text") {
      start = end;
      end += part.text.length;
    }
    return part.type === "source" ? chatCitations(part, start, end) : [];
  });
}

/** A source as `annotations` for a range of the message's text; none for a document. */
export function chatCitations(source: Of<"source">, start: number, end: number): JsonObject[] {
  if (source.sourceType !== "url") return [];
  return [{ type: "url_citation", url_citation: urlCitation(source, start, end) }];
}

function pick<T extends LanguageModelV3Content["type"]>(
  result: LanguageModelV3GenerateResult,
  type: T,
): Of<T>[] {
  return result.content.filter((part): part is Of<T> => part.type === type);
}
