import type { LanguageModelV3ToolResultOutput, LanguageModelV3ToolResultPart } from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { readString } from "../fields.ts";
import { withOptions } from "../shared/provider-options.ts";
import { readCacheControl } from "./cache-control.ts";
import { contentBlocks, contentText, readUserBlock } from "./read-content.ts";

type ContentOutput = Extract<LanguageModelV3ToolResultOutput, { type: "content" }>;

/**
 * A `tool_result` block.
 * @param toolNames names of the tools called so far by the id of the call
 */
export function readToolResult(
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
