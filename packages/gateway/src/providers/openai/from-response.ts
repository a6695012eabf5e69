import type { LanguageModelV3Content, LanguageModelV3GenerateResult } from "@ai-sdk/provider";
import { GatewayError } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { readChatFinishReason } from "../../formats/answer-members.ts";
import { readExtraContent } from "../../formats/signature.ts";
import { readChatUsage, toNeutralUsage } from "../../formats/usage.ts";
import { readAnnotations, reasoningText } from "./from-stream.ts";

/** A chat completion as the neutral result. */
export function fromChatResponse(answer: JsonObject): LanguageModelV3GenerateResult {
  const choice: unknown = Array.isArray(answer.choices) ? answer.choices[0] : undefined;
  if (!isJsonObject(choice) || !isJsonObject(choice.message)) {
    throw new GatewayError(502, "api_error", "The provider's answer has no choice");
  }
  const finish = typeof choice.finish_reason === "string" ? choice.finish_reason : undefined;
  return {
    content: readContent(choice.message),
    finishReason: readChatFinishReason(finish),
    usage: toNeutralUsage(readChatUsage(answer.usage, answer.service_tier)),
    warnings: [],
  };
}

function readContent(message: JsonObject): LanguageModelV3Content[] {
  const reasoning = reasoningText(message);
  const content: LanguageModelV3Content[] = reasoning === "" ? [] : [{ type: "reasoning", text: reasoning }];
  for (const text of [message.content, message.refusal]) {
    if (typeof text === "string" && text !== "") content.push({ type: "text", text });
  }
  content.push(...readAnnotations(message));
  const calls: unknown[] = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  for (const call of calls) {
    if (!isJsonObject(call) || !isJsonObject(call.function)) continue;
    content.push({
      type: "tool-call",
      toolCallId: String(call.id ?? `call_${content.length}`),
      toolName: String(call.function.name),
      input: typeof call.function.arguments === "string" ? call.function.arguments || "{}" : "{}",
      providerMetadata: readExtraContent(call.extra_content),
    });
  }
  return content;
}
