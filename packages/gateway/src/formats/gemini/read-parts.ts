import type { LanguageModelV3FilePart, LanguageModelV3TextPart } from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import { defined, type JsonObject } from "../../contract/json.ts";
import { optional, readObject, readObjects, readString } from "../fields.ts";
import { readMediaUrl } from "../media.ts";
import { withOptions } from "../provider-options.ts";
import { unpackThoughtSignature } from "./thought-signature.ts";

/** What a part is: the one member of `Part.data` that it has. */
const KINDS = [
  "text",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
  "executableCode",
  "codeExecutionResult",
] as const;
export type PartKind = (typeof KINDS)[number];

/** Members that say more about a part. */
const ABOUT: ReadonlySet<string> = new Set([
  "thought",
  "thoughtSignature",
  "videoMetadata",
  "mediaResolution",
  "partMetadata",
]);

/** The parts of a content, each with its path. */
export function partsOf(content: JsonObject, path: string): readonly [JsonObject, string][] {
  const parts = readObjects(content.parts ?? [], `${path}.parts`);
  if (parts.length === 0) throw invalidRequest(`${path}.parts: must not be empty`, `${path}.parts`);
  return parts;
}

/**
 * What kind of part it is; text for one that only carries a signature.
 * @throws GatewayError 400 for a part of no kind, of two kinds, or of a kind that only Google's models know
 */
export function kindOfPart(part: JsonObject, path: string): PartKind {
  const kinds = KINDS.filter((kind) => part[kind] !== undefined && part[kind] !== null);
  const [kind] = kinds;
  if (kinds.length > 1)
    throw invalidRequest(`${path}: has both ${kinds[0]} and ${kinds[1]}; a part has one of them`, path);
  if (kind !== undefined) return kind;
  const foreign = Object.keys(part).find((name) => !ABOUT.has(name) && !isKind(name));
  if (foreign !== undefined)
    throw invalidRequest(
      `${path}.${foreign}: is not supported by this model's provider`,
      `${path}.${foreign}`,
    );
  if (part.thoughtSignature !== undefined) return "text";
  throw invalidRequest(`${path}: required one of ${KINDS.join(", ")}`, path);
}

function isKind(name: string): boolean {
  return (KINDS as readonly string[]).includes(name);
}

/** A part that a user may send: text, a picture or a file. @throws GatewayError 400 */
export function readUserPart(
  part: JsonObject,
  kind: PartKind,
  path: string,
): LanguageModelV3TextPart | LanguageModelV3FilePart {
  switch (kind) {
    case "text":
      return { type: "text", text: textOf(part, path) };
    case "inlineData":
      return readInlineData(part.inlineData, `${path}.inlineData`);
    case "fileData":
      return readFileData(part.fileData, `${path}.fileData`);
    case "executableCode":
    case "codeExecutionResult":
      return { type: "text", text: codeText(part, kind, path) };
    default:
      throw invalidRequest(`${path}.${kind}: does not belong into a user's turn`, `${path}.${kind}`);
  }
}

export function textOf(part: JsonObject, path: string): string {
  return readString(part.text ?? "", `${path}.text`);
}

export function readInlineData(value: unknown, path: string): LanguageModelV3FilePart {
  const blob = readObject(value, path);
  const filename = optional(readString, blob.displayName, `${path}.displayName`);
  // Google takes both alphabets of base64; other providers have the standard one.
  const data = readString(blob.data, `${path}.data`).replaceAll("-", "+").replaceAll("_", "/");
  return {
    type: "file",
    data,
    mediaType: readString(blob.mimeType, `${path}.mimeType`),
    ...defined({ filename }),
  };
}

export function readFileData(value: unknown, path: string): LanguageModelV3FilePart {
  const file = readObject(value, path);
  const mediaType = optional(readString, file.mimeType, `${path}.mimeType`);
  const uri = readString(file.fileUri, `${path}.fileUri`);
  const media = readMediaUrl(uri, mediaType ?? "application/octet-stream", `${path}.fileUri`);
  const filename = optional(readString, file.displayName, `${path}.displayName`);
  return { type: "file", ...media, ...defined({ filename }) };
}

/** Code that Google's model ran, and what came out, in words: other models have no such parts. */
export function codeText(part: JsonObject, kind: PartKind, path: string): string {
  if (kind === "executableCode") {
    const code = readObject(part.executableCode, `${path}.executableCode`);
    const language = optional(readString, code.language, `${path}.executableCode.language`) ?? "";
    const text = optional(readString, code.code, `${path}.executableCode.code`) ?? "";
    return `\`\`\`${language.toLowerCase()}\n${text}\n\`\`\`\n`;
  }
  const result = readObject(part.codeExecutionResult, `${path}.codeExecutionResult`);
  const output = optional(readString, result.output, `${path}.codeExecutionResult.output`) ?? "";
  return `Output of the code:\n${output}\n`;
}

/** A part's signature as `providerOptions`. */
export function signatureOptions(part: JsonObject, path: string) {
  const signature = optional(readString, part.thoughtSignature, `${path}.thoughtSignature`) ?? "";
  return withOptions(unpackThoughtSignature(signature));
}
