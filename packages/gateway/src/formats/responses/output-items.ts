import type { SharedV3ProviderMetadata } from "@ai-sdk/provider";
import type { JsonObject } from "../../contract/json.ts";
import { writeExtraContent } from "../shared/signature.ts";
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

/** A call of one of the caller's functions. */
export function functionCallItem(
  id: string,
  status: ItemStatus,
  call: { readonly id: string; readonly name: string; readonly input: string },
  metadata: SharedV3ProviderMetadata | undefined,
): JsonObject {
  const { id: call_id, name, input } = call;
  return {
    id,
    type: "function_call",
    status,
    call_id,
    name,
    arguments: input,
    ...writeExtraContent(metadata),
  };
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
