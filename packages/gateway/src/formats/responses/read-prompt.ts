import type {
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultOutput,
} from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { optional, readArray, readObject, readString, toolInputObject } from "../fields.ts";
import { withOptions } from "../provider-options.ts";
import { readExtraContent } from "../signature.ts";
import { CUSTOM_INPUT, functionName } from "./caller-tools.ts";
import { unpackEncryptedContent } from "./encrypted-content.ts";
import { assistantText, contentParts, readInputPart } from "./read-content.ts";

type AssistantContent = Extract<LanguageModelV3Message, { role: "assistant" }>["content"];

/** Items that OpenAI's own tools leave behind; they mean nothing to another provider. */
const hostedItem = /_call$|_call_output$|^mcp_/;

/** `instructions` and `input` as the neutral prompt; what an assistant did in a row becomes one message. */
export function readPrompt(body: JsonObject): LanguageModelV3Prompt {
  const instructions = optional(readString, body.instructions, "instructions");
  const prompt: LanguageModelV3Message[] =
    instructions === undefined ? [] : [{ role: "system", content: instructions }];
  if (typeof body.input === "string") {
    return [...prompt, { role: "user", content: [{ type: "text", text: body.input }] }];
  }
  const items = readArray(body.input, "input");
  if (items.length === 0) throw invalidRequest("input: at least one item is required", "input");
  const toolNames = new Map<string, string>();
  for (const [index, value] of items.entries()) {
    const path = `input.${index}`;
    readItem(readObject(value, path), prompt, toolNames, path);
  }
  return prompt;
}

function readItem(
  item: JsonObject,
  prompt: LanguageModelV3Message[],
  toolNames: Map<string, string>,
  path: string,
): void {
  switch (item.type ?? "message") {
    case "message":
      readMessage(item, prompt, path);
      return;
    case "function_call":
      addAssistant(prompt, readFunctionCall(item, toolNames, path));
      return;
    case "custom_tool_call":
      addAssistant(prompt, readCustomCall(item, toolNames, path));
      return;
    case "function_call_output":
    case "custom_tool_call_output":
      readFunctionOutput(item, prompt, toolNames, path);
      return;
    case "reasoning":
      addAssistant(prompt, readReasoning(item, path));
      return;
    default:
      if (typeof item.type === "string" && hostedItem.test(item.type)) return;
      if (item.type === "compaction")
        throw invalidRequest(
          `${path}: another provider made this compaction item and alone can read it; without it the conversation would be lost`,
          path,
        );
      throw invalidRequest(
        `${path}.type: an item of type ${JSON.stringify(item.type)} is not supported here`,
        `${path}.type`,
      );
  }
}

function readMessage(item: JsonObject, prompt: LanguageModelV3Message[], path: string): void {
  const at = `${path}.content`;
  switch (item.role) {
    case "system":
    case "developer":
      prompt.push({ role: "system", content: assistantText(item.content, at) });
      return;
    case "user":
      prompt.push({
        role: "user",
        content: contentParts(item.content, at).map(([part, partPath]) => readInputPart(part, partPath)),
      });
      return;
    case "assistant":
      addAssistant(prompt, [{ type: "text", text: assistantText(item.content, at) }]);
      return;
    default:
      throw invalidRequest(
        `${path}.role: expected "user", "assistant", "system" or "developer"`,
        `${path}.role`,
      );
  }
}

function readFunctionCall(item: JsonObject, toolNames: Map<string, string>, path: string): AssistantContent {
  const toolCallId = readString(item.call_id, `${path}.call_id`);
  const toolName = functionName(item.namespace, readString(item.name, `${path}.name`));
  toolNames.set(toolCallId, toolName);
  const input = toolInputObject(readString(item.arguments, `${path}.arguments`));
  const options = withOptions(readExtraContent(item.extra_content));
  return [{ type: "tool-call", toolCallId, toolName, input, ...options }];
}

function readCustomCall(item: JsonObject, toolNames: Map<string, string>, path: string): AssistantContent {
  const toolCallId = readString(item.call_id, `${path}.call_id`);
  const toolName = functionName(item.namespace, readString(item.name, `${path}.name`));
  toolNames.set(toolCallId, toolName);
  const input = { [CUSTOM_INPUT]: readString(item.input, `${path}.input`) };
  return [
    { type: "tool-call", toolCallId, toolName, input, ...withOptions(readExtraContent(item.extra_content)) },
  ];
}

function readFunctionOutput(
  item: JsonObject,
  prompt: LanguageModelV3Message[],
  toolNames: ReadonlyMap<string, string>,
  path: string,
): void {
  const toolCallId = readString(item.call_id, `${path}.call_id`);
  const toolName = toolNames.get(toolCallId);
  if (toolName === undefined) {
    throw invalidRequest(
      `${path}.call_id: no earlier ${item.type === "custom_tool_call_output" ? "custom_tool_call" : "function_call"} has this id`,
      `${path}.call_id`,
    );
  }
  const output = readOutput(item.output, `${path}.output`);
  const result = { type: "tool-result" as const, toolCallId, toolName, output };
  const last = prompt.at(-1);
  if (last?.role === "tool") last.content.push(result);
  else prompt.push({ role: "tool", content: [result] });
}

function readOutput(value: unknown, path: string): LanguageModelV3ToolResultOutput {
  if (typeof value === "string") return { type: "text", value };
  return {
    type: "content",
    value: contentParts(value, path).map(([part, at]) => {
      const read = readInputPart(part, at);
      if (read.type === "text") return { type: "text" as const, text: read.text };
      const { data, mediaType } = read;
      if (data instanceof URL) {
        return mediaType.startsWith("image/")
          ? { type: "image-url" as const, url: data.href }
          : { type: "file-url" as const, url: data.href, mediaType };
      }
      const type = mediaType.startsWith("image/") ? ("image-data" as const) : ("file-data" as const);
      return { type, data: String(data), mediaType };
    }),
  };
}

function readReasoning(item: JsonObject, path: string): AssistantContent {
  const parts = [
    ...(optional(readArray, item.summary, `${path}.summary`) ?? []),
    ...(optional(readArray, item.content, `${path}.content`) ?? []),
  ];
  const text = parts
    .map((part, index) =>
      readString(readObject(part, `${path}.summary.${index}`).text, `${path}.summary.${index}`),
    )
    .join("\n");
  const encrypted = optional(readString, item.encrypted_content, `${path}.encrypted_content`) ?? "";
  return [{ type: "reasoning", text, ...withOptions(unpackEncryptedContent(encrypted)) }];
}

function addAssistant(prompt: LanguageModelV3Message[], content: AssistantContent): void {
  const last = prompt.at(-1);
  if (last?.role === "assistant") last.content.push(...content);
  else prompt.push({ role: "assistant", content });
}
