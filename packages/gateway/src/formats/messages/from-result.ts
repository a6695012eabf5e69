import type { LanguageModelV3Content, LanguageModelV3GenerateResult } from "@ai-sdk/provider";
import type { AnswerContext } from "../../contract/dialect.ts";
import type { JsonObject } from "../../contract/json.ts";
import { answerId } from "../answer-id.ts";
import { writeStopReason } from "../shared/messages-stop-reason.ts";
import { packSignature, redactedDataOf, signatureOf, writeExtraContent } from "../shared/signature.ts";
import { fromNeutralUsage, writeMessagesUsage } from "../shared/usage.ts";
import { toolInputObject } from "../tool-input.ts";

/** A neutral result as a Messages answer. */
export function messagesFromResult(
  result: LanguageModelV3GenerateResult,
  context: AnswerContext,
): JsonObject {
  const content = result.content.flatMap(writeBlock);
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
    usage: writeMessagesUsage(fromNeutralUsage(result.usage)),
  };
}

/**
 * `stop_reason` and `stop_sequence`. Hosts that say "stop" although they call a tool are corrected, because clients
 * run their tools only on `tool_use`.
 */
export function writeStop(
  end: Pick<LanguageModelV3GenerateResult, "finishReason" | "providerMetadata">,
  callsTools: boolean,
): { stop_reason: string; stop_sequence: string | null } {
  const sequence = end.providerMetadata?.anthropic?.stopSequence;
  if (typeof sequence === "string") return { stop_reason: "stop_sequence", stop_sequence: sequence };
  const corrected = callsTools && end.finishReason.unified === "stop";
  return { stop_reason: corrected ? "tool_use" : writeStopReason(end.finishReason), stop_sequence: null };
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
      if (part.providerExecuted === true) return [];
      const extra = writeExtraContent(part.providerMetadata);
      const input = toolInputObject(part.input);
      return [{ type: "tool_use", id: part.toolCallId, name: part.toolName, input, ...extra }];
    }
    default:
      // Files and sources have no block that a client of this API expects from the assistant.
      return [];
  }
}
