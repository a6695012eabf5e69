import type { SharedV3ProviderMetadata } from "@ai-sdk/provider";
import type { JsonObject } from "../../contract/json.ts";
import { writeExtraContent } from "../signature.ts";
import { type CallerTool, customInput } from "./caller-tools.ts";
import { packEncryptedContent } from "./encrypted-content.ts";

/** Whether an item is still being written. */
export type ItemStatus = "in_progress" | "completed" | "incomplete";

/** The one content part of a message. */
export function textPart(text: string): JsonObject {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

/** A message of the assistant; without text it has no content yet. */
export function messageItem(id: string, status: ItemStatus, text?: string): JsonObject {
  const content = text === undefined ? [] : [textPart(text)];
  return { id, type: "message", status, role: "assistant", content };
}

/** A call of one of the caller's tools, as the model made it. */
export interface ToolCall {
  readonly id: string;
  readonly tool: CallerTool;
  /** The arguments' text as far as it is written. */
  readonly input: string;
}

/** A call of one of the caller's tools: a function, within its namespace, or a custom tool with its text. */
export function toolCallItem(
  id: string,
  status: ItemStatus,
  { id: call_id, tool, input }: ToolCall,
  metadata: SharedV3ProviderMetadata | undefined,
): JsonObject {
  const named = {
    call_id,
    name: tool.name,
    ...(tool.namespace === undefined ? {} : { namespace: tool.namespace }),
  };
  const signed = writeExtraContent(metadata);
  return tool.type === "custom"
    ? { id, type: "custom_tool_call", status, ...named, input: customInput(input), ...signed }
    : { id, type: "function_call", status, ...named, arguments: input, ...signed };
}

/** Reasoning, shown as a summary; what its provider signed travels in `encrypted_content`. */
export function reasoningItem(
  id: string,
  text: string,
  metadata: SharedV3ProviderMetadata | undefined,
): JsonObject {
  const encrypted = packEncryptedContent(metadata);
  return {
    id,
    type: "reasoning",
    summary: text === "" ? [] : [{ type: "summary_text", text }],
    ...(encrypted === undefined ? {} : { encrypted_content: encrypted }),
  };
}
