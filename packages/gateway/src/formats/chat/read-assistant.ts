import type { LanguageModelV3Message, LanguageModelV3ToolCallPart } from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { optional, readArray, readObject, readString, toolInputObject } from "../fields.ts";
import { optionsFor, withOptions } from "../provider-options.ts";
import { readExtraContent, unpackSignature } from "../signature.ts";
import { cacheControl, contentText } from "./read-content.ts";

type AssistantMessage = Extract<LanguageModelV3Message, { role: "assistant" }>;

/** An assistant's message: what it thought, said and called, in that order. */
export function readAssistant(
  message: JsonObject,
  toolNames: Map<string, string>,
  path: string,
): AssistantMessage {
  const text =
    contentText(message.content, `${path}.content`) ||
    (optional(readString, message.refusal, `${path}.refusal`) ?? "");
  const calls = optional(readArray, message.tool_calls, `${path}.tool_calls`) ?? [];
  const content: AssistantMessage["content"] = [
    ...readReasoning(message, path),
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...calls.map((call, index) => readToolCall(call, toolNames, `${path}.tool_calls.${index}`)),
  ];
  if (isJsonObject(message.function_call)) {
    content.push(readFunctionCall(message.function_call, toolNames, `${path}.function_call`));
  }
  return { role: "assistant", content, ...withOptions(cacheControl(message)) };
}

/** `thinking_blocks` carry signatures (LiteLLM's member); `reasoning_content` is the text alone. */
function readReasoning(message: JsonObject, path: string): AssistantMessage["content"] {
  const blocks = optional(readArray, message.thinking_blocks, `${path}.thinking_blocks`);
  if (blocks === undefined || blocks.length === 0) {
    const text = optional(readString, message.reasoning_content, `${path}.reasoning_content`);
    return text === undefined || text === "" ? [] : [{ type: "reasoning", text }];
  }
  return blocks.map((value, index) => {
    const at = `${path}.thinking_blocks.${index}`;
    const block = readObject(value, at);
    if (block.type === "redacted_thinking") {
      const redactedData = readString(block.data, `${at}.data`);
      return { type: "reasoning", text: "", ...withOptions(optionsFor("anthropic", { redactedData })) };
    }
    const signature = optional(readString, block.signature, `${at}.signature`) ?? "";
    const text = readString(block.thinking, `${at}.thinking`);
    return { type: "reasoning", text, ...withOptions(unpackSignature(signature)) };
  });
}

function readToolCall(
  value: unknown,
  toolNames: Map<string, string>,
  path: string,
): LanguageModelV3ToolCallPart {
  const call = readObject(value, path);
  const toolCallId = readString(call.id, `${path}.id`);
  const called = readObject(call.function, `${path}.function`);
  const toolName = readString(called.name, `${path}.function.name`);
  toolNames.set(toolCallId, toolName);
  const input = toolInputObject(optional(readString, called.arguments, `${path}.function.arguments`) ?? "");
  const options = withOptions(readExtraContent(call.extra_content));
  return { type: "tool-call", toolCallId, toolName, input, ...options };
}

/** The form before `tool_calls`: one call without an id, so that its name has to do. */
function readFunctionCall(
  call: JsonObject,
  toolNames: Map<string, string>,
  path: string,
): LanguageModelV3ToolCallPart {
  const toolName = readString(call.name, `${path}.name`);
  if (toolName === "") throw invalidRequest(`${path}.name: expected a name`, `${path}.name`);
  toolNames.set(toolName, toolName);
  const input = toolInputObject(optional(readString, call.arguments, `${path}.arguments`) ?? "");
  return { type: "tool-call", toolCallId: toolName, toolName, input };
}
