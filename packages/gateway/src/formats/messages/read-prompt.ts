import type {
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3TextPart,
  LanguageModelV3ToolResultOutput,
  LanguageModelV3ToolResultPart,
} from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { optional, readArray, readObject, readString } from "../fields.ts";
import { optionsFor, withOptions } from "../provider-options.ts";
import { readExtraContent, unpackSignature } from "../signature.ts";
import {
  contentBlocks,
  contentText,
  readCacheControl,
  readTextBlock,
  readUserBlock,
} from "./read-content.ts";

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

type ContentOutput = Extract<LanguageModelV3ToolResultOutput, { type: "content" }>;

/**
 * A `tool_result` block.
 * @param toolNames names of the tools called so far by the id of the call
 */
function readToolResult(
  block: JsonObject,
  toolNames: ReadonlyMap<string, string>,
  path: string,
): LanguageModelV3ToolResultPart {
  const toolCallId = readString(block.tool_use_id, `${path}.tool_use_id`);
  const toolName = toolNames.get(toolCallId);
  if (toolName === undefined) {
    throw invalidRequest(`${path}.tool_use_id: no earlier tool_use block has this id`, `${path}.tool_use_id`);
  }
  const output = readOutput(block, `${path}.content`);
  return { type: "tool-result", toolCallId, toolName, output, ...withOptions(readCacheControl(block)) };
}

function readOutput(block: JsonObject, path: string): LanguageModelV3ToolResultOutput {
  const content = block.content ?? "";
  if (block.is_error === true) return { type: "error-text", value: contentText(content, path) };
  if (typeof content === "string") return { type: "text", value: content };
  const value = contentBlocks(content, path).map(([part, at]) => readPart(part, at));
  return { type: "content", value };
}

function readPart(block: JsonObject, path: string): ContentOutput["value"][number] {
  const part = readUserBlock(block, path);
  if (part.type === "text") return { type: "text", text: part.text };
  const { data, mediaType } = part;
  const image = mediaType.startsWith("image/");
  if (data instanceof URL) {
    return image ? { type: "image-url", url: data.href } : { type: "file-url", url: data.href, mediaType };
  }
  return { type: image ? "image-data" : "file-data", data: String(data), mediaType };
}
