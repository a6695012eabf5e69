import type {
  LanguageModelV3FilePart,
  LanguageModelV3TextPart,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import { defined, isJsonObject, type JsonObject } from "../../contract/json.ts";
import { optional, readObject, readObjects, readString, textOfParts } from "../fields.ts";
import { readMediaUrl } from "../media.ts";
import { optionsFor, withOptions } from "../provider-options.ts";

/** A content member as parts: text alone stands for one text part, null for none. */
export function contentParts(content: unknown, path: string): readonly [JsonObject, string][] {
  if (content === null || content === undefined) return [];
  if (typeof content === "string") return [[{ type: "text", text: content }, path]];
  return readObjects(content, path);
}

/** A part of a user's message: text, picture, sound, file. */
export function readUserPart(
  part: JsonObject,
  path: string,
): LanguageModelV3TextPart | LanguageModelV3FilePart {
  const options = withOptions(cacheControl(part));
  switch (part.type) {
    case "text":
      return { type: "text", text: readString(part.text, `${path}.text`), ...options };
    case "image_url":
      return { type: "file", ...readImage(part.image_url, `${path}.image_url`), ...options };
    case "input_audio":
      return { type: "file", ...readAudio(part.input_audio, `${path}.input_audio`), ...options };
    case "file":
      return { ...readFile(part.file, `${path}.file`), ...options };
    default:
      throw invalidRequest(
        `${path}.type: content of type ${JSON.stringify(part.type)} is not supported here`,
        `${path}.type`,
      );
  }
}

/** All text of a content member. */
export function contentText(content: unknown, path: string): string {
  return textOfParts(contentParts(content, path));
}

/** A part's `cache_control`, which LiteLLM and OpenRouter brought to chat completions. */
export function cacheControl(part: JsonObject): SharedV3ProviderOptions {
  return isJsonObject(part.cache_control)
    ? optionsFor("anthropic", { cacheControl: part.cache_control })
    : {};
}

function readImage(value: unknown, path: string) {
  const image = typeof value === "string" ? { url: value } : readObject(value, path);
  return readMediaUrl(readString(image.url, `${path}.url`), "image/*", `${path}.url`);
}

function readAudio(value: unknown, path: string) {
  const audio = readObject(value, path);
  const format = readString(audio.format, `${path}.format`);
  return {
    data: readString(audio.data, `${path}.data`),
    mediaType: format === "mp3" ? "audio/mpeg" : `audio/${format}`,
  };
}

function readFile(value: unknown, path: string): LanguageModelV3FilePart {
  const file = readObject(value, path);
  if (file.file_data === undefined) {
    throw invalidRequest(
      `${path}.file_data: this model's provider needs the file's content; an uploaded file cannot be named`,
      `${path}.file_data`,
    );
  }
  const data = readString(file.file_data, `${path}.file_data`);
  const filename = optional(readString, file.filename, `${path}.filename`);
  const media = data.startsWith("data:")
    ? readMediaUrl(data, "application/pdf", `${path}.file_data`)
    : { data, mediaType: "application/pdf" };
  return { type: "file", ...media, ...defined({ filename }) };
}
