import type {
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultPart,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider";
import type { JsonObject } from "../contract/json.ts";

export type AssistantPart = Extract<LanguageModelV3Message, { role: "assistant" }>["content"][number];

/** How a provider writes the parts of a conversation; what it has no place for is no block. */
export interface BlockWriter {
  text(text: string, options: SharedV3ProviderOptions | undefined): JsonObject[];
  file(part: LanguageModelV3FilePart): JsonObject[];
  assistant(part: AssistantPart): JsonObject[];
  toolResult(part: LanguageModelV3ToolResultPart): JsonObject[];
}

/** A conversation in which user and assistant take turns, beside what the system says. */
export interface Turns {
  readonly system: readonly JsonObject[];
  readonly messages: readonly JsonObject[];
}

/**
 * The prompt for Anthropic's models, directly and on Bedrock: system messages, wherever they stand, become `system`;
 * what a user and tools say in a row becomes one message, as does what the assistant says.
 */
export function alternatingTurns(prompt: LanguageModelV3Prompt, writer: BlockWriter): Turns {
  const system: JsonObject[] = [];
  const messages: { role: string; content: JsonObject[] }[] = [];
  for (const message of withoutSpaceAtEnd(prompt)) {
    if (message.role === "system") {
      system.push(...writer.text(message.content, message.providerOptions));
      continue;
    }
    const role = message.role === "assistant" ? "assistant" : "user";
    const content = blocksOf(message, writer);
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else messages.push({ role, content });
  }
  return { system, messages: messages.filter(({ content }) => content.length > 0) };
}

function blocksOf(
  message: Exclude<LanguageModelV3Message, { role: "system" }>,
  writer: BlockWriter,
): JsonObject[] {
  switch (message.role) {
    case "user":
      return message.content.flatMap((part) =>
        part.type === "text"
          ? writer.text(part.text, part.providerOptions ?? message.providerOptions)
          : writer.file(part),
      );
    case "assistant":
      return message.content.flatMap((part) => writer.assistant(part));
    case "tool":
      return message.content.flatMap((part) => (part.type === "tool-result" ? writer.toolResult(part) : []));
  }
}

/** The beginning of an answer that the caller dictates must not end in white space. */
function withoutSpaceAtEnd(prompt: LanguageModelV3Prompt): LanguageModelV3Prompt {
  const last = prompt.at(-1);
  const part = last?.role === "assistant" ? last.content.at(-1) : undefined;
  if (last?.role !== "assistant" || part?.type !== "text") return prompt;
  const content = [...last.content.slice(0, -1), { ...part, text: part.text.trimEnd() }];
  return [...prompt.slice(0, -1), { ...last, content }];
}
