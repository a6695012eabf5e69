import type { LanguageModelV3FilePart, LanguageModelV3TextPart } from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import { defined, type JsonObject } from "../../contract/json.ts";
import { optional, readObjects, readString, textOfParts } from "../fields.ts";
import { readMediaUrl } from "../media.ts";

/** A content member as parts: text alone stands for one text part. */
export function contentParts(content: unknown, path: string): readonly [JsonObject, string][] {
  if (typeof content === "string") return [[{ type: "input_text", text: content }, path]];
  return readObjects(content, path);
}

/** A part of what a user or a tool gives: text, picture, file. */
export function readInputPart(
  part: JsonObject,
  path: string,
): LanguageModelV3TextPart | LanguageModelV3FilePart {
  switch (part.type) {
    case "input_text":
    case "output_text":
    case "text":
      return { type: "text", text: readString(part.text, `${path}.text`) };
    case "input_image": {
      if (part.image_url === undefined) throw needsContent(`${path}.image_url`);
      const url = readString(part.image_url, `${path}.image_url`);
      return { type: "file", ...readMediaUrl(url, "image/*", `${path}.image_url`) };
    }
    case "input_file":
      return readFile(part, path);
    default:
      throw invalidRequest(
        `${path}.type: content of type ${JSON.stringify(part.type)} is not supported here`,
        `${path}.type`,
      );
  }
}

/** All text of an assistant's content, refusals included. */
export function assistantText(content: unknown, path: string): string {
  return textOfParts(contentParts(content, path));
}

function readFile(part: JsonObject, path: string): LanguageModelV3FilePart {
  const filename = optional(readString, part.filename, `${path}.filename`);
  const name = defined({ filename });
  if (part.file_url !== undefined && part.file_url !== null) {
    const url = readString(part.file_url, `${path}.file_url`);
    return { type: "file", ...readMediaUrl(url, "application/pdf", `${path}.file_url`), ...name };
  }
  if (part.file_data === undefined) throw needsContent(`${path}.file_data`);
  const data = readString(part.file_data, `${path}.file_data`);
  const media = data.startsWith("data:")
    ? readMediaUrl(data, "application/pdf", `${path}.file_data`)
    : { data, mediaType: "application/pdf" };
  return { type: "file", ...media, ...name };
}

function needsContent(path: string): Error {
  return invalidRequest(
    `${path}: this model's provider needs the content itself; an uploaded file cannot be named`,
    path,
  );
}
