import type {
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3TextPart,
  LanguageModelV3ToolResultPart,
} from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { optional, readArray, readObject, readString } from "../fields.ts";
import { optionsFor, withOptions } from "../shared/provider-options.ts";
import { readExtraContent, unpackSignature } from "../shared/signature.ts";
import { readCacheControl } from "./cache-control.ts";
import { contentBlocks, readTextBlock, readUserBlock } from "./read-content.ts";
import { readToolResult } from "./read-tool-result.ts";

type AssistantContent = Extract<LanguageModelV3Message, { role: "assistant" }>["content"];

/** `system` and `messages` as the neutral prompt. */
export function readPrompt(body: JsonObject): LanguageModelV3Prompt {
  const messages = readArray(body.messages, "messages");
  if (messages.length === 0) throw invalidRequest("messages: at least one message is required", "messages");
  const toolNames = new Map<string, string>();
  const prompt = body.system === undefined || body.system === null ? [] : readSystem(body.system, "system");
  for (const [index, item] of messages.entries()) {
    const path = `messages.${index}`;
    prompt.push(...readMessage(readObject(item, path), toolNames, path));
  }
  return prompt;
}

function readMessage(
  message: JsonObject,
  toolNames: Map<string, string>,
  path: string,
): LanguageModelV3Message[] {
  switch (message.role) {
    case "user":
      return readUser(message.content, toolNames, `${path}.content`);
    case "assistant":
      return [{ role: "assistant", content: readAssistant(message.content, toolNames, `${path}.content`) }];
    case "system":
      return readSystem(message.content, `${path}.content`);
    default:
      throw invalidRequest(`${path}.role: expected "user" or "assistant"`, `${path}.role`);
  }
}

function readSystem(content: unknown, path: string): LanguageModelV3Message[] {
  return contentBlocks(content, path).map(([block, at]) => ({
    role: "system" as const,
    content: readString(block.text, `${at}.text`),
    ...withOptions(readCacheControl(block)),
  }));
}

/** Tool results become a message of their own, before what the user says beside them. */
function readUser(
  content: unknown,
  toolNames: ReadonlyMap<string, string>,
  path: string,
): LanguageModelV3Message[] {
  const results: LanguageModelV3ToolResultPart[] = [];
  const parts: (LanguageModelV3TextPart | LanguageModelV3FilePart)[] = [];
  for (const [block, at] of contentBlocks(content, path)) {
    if (block.type === "tool_result") results.push(readToolResult(block, toolNames, at));
    else parts.push(readUserBlock(block, at));
  }
  return [
    ...(results.length > 0 ? [{ role: "tool" as const, content: results }] : []),
    ...(parts.length > 0 || results.length === 0 ? [{ role: "user" as const, content: parts }] : []),
  ];
}

function readAssistant(content: unknown, toolNames: Map<string, string>, path: string): AssistantContent {
  return contentBlocks(content, path).flatMap(([block, at]): AssistantContent => {
    switch (block.type) {
      case "text":
        return [readTextBlock(block, at)];
      case "thinking": {
        const signature = optional(readString, block.signature, `${at}.signature`) ?? "";
        const text = readString(block.thinking, `${at}.thinking`);
        return [{ type: "reasoning", text, ...withOptions(unpackSignature(signature)) }];
      }
      case "redacted_thinking": {
        const redactedData = readString(block.data, `${at}.data`);
        return [{ type: "reasoning", text: "", ...withOptions(optionsFor("anthropic", { redactedData })) }];
      }
      case "tool_use": {
        const toolCallId = readString(block.id, `${at}.id`);
        const toolName = readString(block.name, `${at}.name`);
        toolNames.set(toolCallId, toolName);
        const input = readObject(block.input ?? {}, `${at}.input`);
        const options = withOptions(readCacheControl(block), readExtraContent(block.extra_content));
        return [{ type: "tool-call", toolCallId, toolName, input, ...options }];
      }
      default:
        // What another provider's own tools left behind means nothing to this one.
        return [];
    }
  });
}
