import type {
  LanguageModelV3FilePart,
  LanguageModelV3ToolResultPart,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider";
import type { JsonObject } from "../../contract/json.ts";
import { redactedDataOf, signatureOf } from "../../formats/signature.ts";
import type { AssistantPart, BlockWriter } from "../alternating-turns.ts";
import { base64Of, concreteType, textOf, toolOutputFiles, toolOutputText } from "../file-data.ts";

/** Content of the Messages API (Anthropic API reference, "Create a Message"). */
export const messagesBlocks: BlockWriter = {
  text: textBlocks,
  file: (part) => [fileBlock(part)],
  assistant: assistantBlocks,
  toolResult: (part) => [toolResultBlock(part)],
};

/** `cache_control` of a part that has one. */
export function cacheControl(options: SharedV3ProviderOptions | undefined): JsonObject {
  const control = options?.anthropic?.cacheControl;
  return control === undefined ? {} : { cache_control: control };
}

/** A text block; Anthropic refuses empty ones. */
function textBlocks(text: string, options: SharedV3ProviderOptions | undefined): JsonObject[] {
  return text === "" ? [] : [{ type: "text", text, ...cacheControl(options) }];
}

/** A picture or document. */
function fileBlock({ data, mediaType, filename, providerOptions }: LanguageModelV3FilePart): JsonObject {
  const cache = cacheControl(providerOptions);
  const title = filename === undefined ? {} : { title: filename };
  if (mediaType.startsWith("image/")) {
    const source =
      data instanceof URL
        ? { type: "url", url: data.href }
        : { type: "base64", media_type: concreteType(mediaType), data: base64Of(data) };
    return { type: "image", source, ...cache };
  }
  if (data instanceof URL)
    return { type: "document", source: { type: "url", url: data.href }, ...title, ...cache };
  const source = mediaType.startsWith("text/")
    ? { type: "text", media_type: "text/plain", data: textOf(data) }
    : { type: "base64", media_type: mediaType, data: base64Of(data) };
  return { type: "document", source, ...title, ...cache };
}

/** What the assistant thought, said or called; reasoning only as far as Anthropic signed it. */
function assistantBlocks(part: AssistantPart): JsonObject[] {
  switch (part.type) {
    case "text":
      return textBlocks(part.text, part.providerOptions);
    case "reasoning":
      return reasoningBlocks(part.text, part.providerOptions);
    case "tool-call":
      return [
        {
          type: "tool_use",
          id: toolId(part.toolCallId),
          name: part.toolName,
          input: part.input,
          ...cacheControl(part.providerOptions),
        },
      ];
    default:
      return [];
  }
}

/** A tool's result, with its pictures and files. */
function toolResultBlock({ toolCallId, output, providerOptions }: LanguageModelV3ToolResultPart): JsonObject {
  const text = toolOutputText(output);
  const files = toolOutputFiles(output).map(fileBlock);
  const isError = output.type === "error-text" || output.type === "error-json";
  return {
    type: "tool_result",
    tool_use_id: toolId(toolCallId),
    content: files.length === 0 ? text : [...textBlocks(text, undefined), ...files],
    ...(isError ? { is_error: true } : {}),
    ...cacheControl(providerOptions),
  };
}

function reasoningBlocks(text: string, options: SharedV3ProviderOptions | undefined): JsonObject[] {
  const data = redactedDataOf(options);
  if (data !== undefined) return [{ type: "redacted_thinking", data }];
  const signature = signatureOf(options);
  if (signature?.provider !== "anthropic") return [];
  return [{ type: "thinking", thinking: text, signature: signature.value }];
}

// Anthropic takes letters, digits, underscores and dashes only.
function toolId(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, "_");
}
