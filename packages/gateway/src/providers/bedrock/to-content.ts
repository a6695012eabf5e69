import type {
  LanguageModelV3FilePart,
  LanguageModelV3ToolResultPart,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { redactedDataOf, signatureOf } from "../../formats/signature.ts";
import type { AssistantPart, BlockWriter } from "../alternating-turns.ts";
import { base64Of, concreteType, toolOutputFiles, toolOutputText } from "../file-data.ts";

/** Content of the Converse operations (Amazon Bedrock API reference, ContentBlock). */
export const converseBlocks: BlockWriter = {
  text: textBlocks,
  file: fileBlocks,
  assistant: assistantBlocks,
  toolResult: toolResultBlocks,
};

/** Bedrock's words for media types. */
const formats: ReadonlyMap<string, readonly [kind: "image" | "document" | "video", format: string]> = new Map(
  [
    ["image/png", ["image", "png"]],
    ["image/jpeg", ["image", "jpeg"]],
    ["image/gif", ["image", "gif"]],
    ["image/webp", ["image", "webp"]],
    ["application/pdf", ["document", "pdf"]],
    ["text/plain", ["document", "txt"]],
    ["text/markdown", ["document", "md"]],
    ["text/html", ["document", "html"]],
    ["text/csv", ["document", "csv"]],
    ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", ["document", "docx"]],
    ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ["document", "xlsx"]],
    ["video/mp4", ["video", "mp4"]],
  ],
);

/** A mark after which the provider caches what stands before it, where the caller set one. */
export function cachePoint(options: SharedV3ProviderOptions | undefined): JsonObject[] {
  return options?.anthropic?.cacheControl === undefined ? [] : [{ cachePoint: { type: "default" } }];
}

/** A text; empty ones are refused. */
function textBlocks(text: string, options: SharedV3ProviderOptions | undefined): JsonObject[] {
  return text === "" ? [] : [{ text }, ...cachePoint(options)];
}

/** A picture, document or video. */
function fileBlocks(part: LanguageModelV3FilePart): JsonObject[] {
  const { data, filename, providerOptions } = part;
  const mediaType = concreteType(part.mediaType);
  const known = formats.get(mediaType);
  if (known === undefined || data instanceof URL)
    throw invalidRequest(`The provider bedrock does not take files of the type ${mediaType}.`);
  const [kind, format] = known;
  const source = { bytes: base64Of(data) };
  const block = kind === "document" ? { format, name: documentName(filename), source } : { format, source };
  return [{ [kind]: block }, ...cachePoint(providerOptions)];
}

/** Bedrock takes letters, digits, single blanks, hyphens, parentheses and square brackets. */
function documentName(filename: string | undefined): string {
  const name = (filename ?? "").replace(/[^A-Za-z0-9()[\]-]+/g, " ").trim();
  return name === "" ? "document" : name.slice(0, 200);
}

/** What the assistant thought, said or called; reasoning only as far as Claude signed it. */
function assistantBlocks(part: AssistantPart): JsonObject[] {
  switch (part.type) {
    case "text":
      return textBlocks(part.text, part.providerOptions);
    case "reasoning":
      return reasoningBlocks(part.text, part.providerOptions);
    case "tool-call":
      return [
        {
          toolUse: { toolUseId: toolId(part.toolCallId), name: part.toolName, input: part.input },
        },
        ...cachePoint(part.providerOptions),
      ];
    default:
      return [];
  }
}

/** A tool's result, with its pictures and files. */
function toolResultBlocks(part: LanguageModelV3ToolResultPart): JsonObject[] {
  const { toolCallId, output, providerOptions } = part;
  const text = toolOutputText(output);
  const files = toolOutputFiles(output).flatMap(fileBlocks);
  const isError = output.type === "error-text" || output.type === "error-json";
  const content = text === "" && files.length > 0 ? files : [{ text: text || " " }, ...files];
  const result = { toolUseId: toolId(toolCallId), content, ...(isError ? { status: "error" } : {}) };
  return [{ toolResult: result }, ...cachePoint(providerOptions)];
}

function reasoningBlocks(text: string, options: SharedV3ProviderOptions | undefined): JsonObject[] {
  const data = redactedDataOf(options);
  if (data !== undefined) return [{ reasoningContent: { redactedContent: data } }];
  const signature = signatureOf(options);
  if (signature?.provider !== "anthropic") return [];
  return [{ reasoningContent: { reasoningText: { text, signature: signature.value } } }];
}

function toolId(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);
}
