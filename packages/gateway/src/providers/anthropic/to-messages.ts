import type { LanguageModelV3Message, LanguageModelV3Prompt } from "@ai-sdk/provider";
import type { JsonObject } from "../../contract/json.ts";
import { assistantBlocks, fileBlock, textBlocks, toolResultBlock } from "./to-content.ts";

/** The prompt as `system` and `messages`. */
export interface MessagesPrompt {
  readonly system: readonly JsonObject[];
  readonly messages: readonly JsonObject[];
}

/**
 * System messages, wherever they stand, become `system`; what a user and tools say in a row becomes one message, as
 * does what the assistant says.
 */
export function toMessages(prompt: LanguageModelV3Prompt): MessagesPrompt {
  const system: JsonObject[] = [];
  const messages: { role: string; content: JsonObject[] }[] = [];
  for (const message of prompt) {
    if (message.role === "system") {
      system.push(...textBlocks(message.content, message.providerOptions));
      continue;
    }
    const role = message.role === "assistant" ? "assistant" : "user";
    const content = blocks(message);
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else messages.push({ role, content });
  }
  const last = messages.at(-1);
  if (last?.role === "assistant") trimEnd(last.content);
  return { system, messages: messages.filter((message) => message.content.length > 0) };
}

function blocks(message: Exclude<LanguageModelV3Message, { role: "system" }>): JsonObject[] {
  switch (message.role) {
    case "user":
      return message.content.flatMap((part) =>
        part.type === "text"
          ? textBlocks(part.text, part.providerOptions ?? message.providerOptions)
          : [fileBlock(part)],
      );
    case "assistant":
      return message.content.flatMap(assistantBlocks);
    case "tool":
      return message.content.flatMap((part) => (part.type === "tool-result" ? [toolResultBlock(part)] : []));
  }
}

// The beginning of an answer that the caller dictates must not end in white space.
function trimEnd(content: JsonObject[]): void {
  const last = content.at(-1);
  if (last?.type === "text") last.text = String(last.text).trimEnd();
}
