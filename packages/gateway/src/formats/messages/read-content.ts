import type {
  LanguageModelV3FilePart,
  LanguageModelV3TextPart,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import { defined, isJsonObject, type JsonObject } from "../../contract/json.ts";
import { optional, readObject, readObjects, readString } from "../fields.ts";
import { readMediaUrl } from "../media.ts";
import { optionsFor, withOptions } from "../provider-options.ts";

/** A content member as blocks: text alone stands for one text block. */
export function contentBlocks(content: unknown, path: string): readonly [JsonObject, string][] {
  if (typeof content === "string") return [[{ type: "text", text: content }, path]];
  return readObjects(content, path);
}

/** A block that a user may send beside tool results: text, image, document, search result. */
export function readUserBlock(
  block: JsonObject,
  path: string,
): LanguageModelV3TextPart | LanguageModelV3FilePart {
  switch (block.type) {
    case "text":
      return readTextBlock(block, path);
    case "image":
      return readSource(block, "image/*", path);
    case "document":
      return readDocument(block, path);
    case "search_result":
      return { type: "text", text: searchResultText(block, path) };
    default:
      throw invalidRequest(
        `${path}.type: content of type ${JSON.stringify(block.type)} is not supported here`,
        `${path}.type`,
      );
  }
}

/** A text block with its cache mark. */
export function readTextBlock(block: JsonObject, path: string): LanguageModelV3TextPart {
  const text = readString(block.text, `${path}.text`);
  return { type: "text", text, ...withOptions(readCacheControl(block)) };
}

/** All text of a content member, one block a line. */
export function contentText(content: unknown, path: string): string {
  return contentBlocks(content, path)
    .filter(([block]) => block.type === "text")
    .map(([block, at]) => readString(block.text, `${at}.text`))
    .join("\n");
}

function readSource(block: JsonObject, fallbackType: string, path: string): LanguageModelV3FilePart {
  const source = readObject(block.source, `${path}.source`);
  const options = withOptions(readCacheControl(block));
  const filename = optional(readString, block.title, `${path}.title`);
  if (source.type === "base64") {
    return {
      type: "file",
      data: readString(source.data, `${path}.source.data`),
      mediaType: readString(source.media_type, `${path}.source.media_type`),
      ...defined({ filename }),
      ...options,
    };
  }
  if (source.type === "url") {
    const url = readString(source.url, `${path}.source.url`);
    const media = readMediaUrl(url, fallbackType, `${path}.source.url`);
    return { type: "file", ...media, ...defined({ filename }), ...options };
  }
  throw invalidRequest(
    `${path}.source.type: ${JSON.stringify(source.type)} is not supported by this model's provider`,
    `${path}.source.type`,
  );
}

function readDocument(block: JsonObject, path: string): LanguageModelV3TextPart | LanguageModelV3FilePart {
  const source = readObject(block.source, `${path}.source`);
  const options = withOptions(readCacheControl(block));
  if (source.type === "text") {
    return { type: "text", text: readString(source.data, `${path}.source.data`), ...options };
  }
  if (source.type === "content") {
    return { type: "text", text: contentText(source.content, `${path}.source.content`), ...options };
  }
  return readSource(block, "application/pdf", path);
}

function searchResultText(block: JsonObject, path: string): string {
  const title = optional(readString, block.title, `${path}.title`) ?? "";
  const source = optional(readString, block.source, `${path}.source`) ?? "";
  return [title, source, contentText(block.content ?? [], `${path}.content`)].filter(Boolean).join("\n");
}

/** A block's `cache_control`, kept for providers that have prompt caching by the block. */
export function readCacheControl(block: JsonObject): SharedV3ProviderOptions {
  const control = block.cache_control;
  return isJsonObject(control) ? optionsFor("anthropic", { cacheControl: control }) : {};
}
