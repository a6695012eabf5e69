import type {
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultOutput,
  LanguageModelV3ToolResultPart,
} from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { readArray, readObject, readString } from "../fields.ts";
import { withOptions } from "../provider-options.ts";
import { readAssistant } from "./read-assistant.ts";
import { cacheControl, contentParts, contentText, readUserPart } from "./read-content.ts";

/** `messages` as the neutral prompt; tool messages in a row become one. */
export function readPrompt(body: JsonObject): LanguageModelV3Prompt {
  const messages = readArray(body.messages, "messages");
  if (messages.length === 0) throw invalidRequest("messages: at least one message is required", "messages");
  const toolNames = new Map<string, string>();
  const prompt: LanguageModelV3Message[] = [];
  for (const [index, item] of messages.entries()) {
    const path = `messages.${index}`;
    const message = readObject(item, path);
    if (message.role !== "tool" && message.role !== "function") {
      prompt.push(...readMessage(message, toolNames, path));
      continue;
    }
    const result = readToolMessage(message, toolNames, path);
    const last = prompt.at(-1);
    if (last?.role === "tool") last.content.push(result);
    else prompt.push({ role: "tool", content: [result] });
  }
  return prompt;
}

function readMessage(
  message: JsonObject,
  toolNames: Map<string, string>,
  path: string,
): LanguageModelV3Message[] {
  const at = `${path}.content`;
  switch (message.role) {
    case "system":
    case "developer":
      return contentParts(message.content, at).map(([part, partPath]) => ({
        role: "system" as const,
        content: readString(part.text, `${partPath}.text`),
        ...withOptions(cacheControl(message), cacheControl(part)),
      }));
    case "user":
      return [
        {
          role: "user",
          content: contentParts(message.content, at).map(([part, partPath]) => readUserPart(part, partPath)),
          ...withOptions(cacheControl(message)),
        },
      ];
    case "assistant":
      return [readAssistant(message, toolNames, path)];
    default:
      throw invalidRequest(
        `${path}.role: expected "system", "developer", "user", "assistant" or "tool"`,
        `${path}.role`,
      );
  }
}

function readToolMessage(
  message: JsonObject,
  toolNames: ReadonlyMap<string, string>,
  path: string,
): LanguageModelV3ToolResultPart {
  const [idValue, idPath] =
    message.role === "tool" ? [message.tool_call_id, `${path}.tool_call_id`] : [message.name, `${path}.name`];
  const toolCallId = readString(idValue, idPath);
  const toolName = toolNames.get(toolCallId);
  if (toolName === undefined) {
    throw invalidRequest(`${idPath}: no earlier assistant message calls a tool with this id`, idPath);
  }
  const output = readOutput(message.content, `${path}.content`);
  return { type: "tool-result", toolCallId, toolName, output, ...withOptions(cacheControl(message)) };
}

function readOutput(content: unknown, path: string): LanguageModelV3ToolResultOutput {
  const parts = contentParts(content, path);
  if (parts.every(([part]) => part.type === "text"))
    return { type: "text", value: contentText(content, path) };
  return {
    type: "content",
    value: parts.map(([part, at]) => {
      const read = readUserPart(part, at);
      if (read.type === "text") return { type: "text" as const, text: read.text };
      return read.data instanceof URL
        ? { type: "image-url" as const, url: read.data.href }
        : { type: "image-data" as const, data: String(read.data), mediaType: read.mediaType };
    }),
  };
}
