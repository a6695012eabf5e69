import type { JSONValue, LanguageModelV3ToolResultOutput } from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { optional, readObject, readObjects, readString } from "../fields.ts";
import { readFileData, readInlineData } from "./read-parts.ts";

type ContentItem = Extract<LanguageModelV3ToolResultOutput, { type: "content" }>["value"][number];

/** A function call that waits for its answer. */
export interface OpenCall {
  readonly id: string;
  readonly name: string;
}

/**
 * Takes the call that a response answers out of the open ones: the one with its id, else the first of its name, since
 * many clients send no ids.
 * @throws GatewayError 400 for a response that no call waits for
 */
export function takeCall(open: OpenCall[], response: JsonObject, path: string): OpenCall {
  const name = readString(response.name, `${path}.name`);
  const id = optional(readString, response.id, `${path}.id`);
  let index = id === undefined ? -1 : open.findIndex((call) => call.id === id);
  if (index === -1) index = open.findIndex((call) => call.name === name);
  if (index === -1) {
    const text = `${path}: no function call of the turn before waits for a response of ${JSON.stringify(name)}`;
    throw invalidRequest(text, path);
  }
  return open.splice(index, 1)[0]!;
}

/**
 * What a function answered. Google's convention: `output` has the answer, `error` what went wrong; without either the
 * whole object is the answer (Gemini API reference, "FunctionResponse").
 */
export function readResponse(response: JsonObject, path: string): LanguageModelV3ToolResultOutput {
  const answer = optional(readObject, response.response, `${path}.response`) ?? {};
  const files = readObjects(response.parts ?? [], `${path}.parts`);
  if (files.length === 0) return outputOf(answer);
  const value = files.map(([part, at]) => readFile(part, at));
  const { output } = answer;
  const text = typeof output === "string" ? output : JSON.stringify(output ?? answer);
  return { type: "content", value: [{ type: "text", text }, ...value] };
}

function outputOf(answer: JsonObject): LanguageModelV3ToolResultOutput {
  const { output, error } = answer;
  if (error !== undefined && error !== null && output === undefined)
    return typeof error === "string"
      ? { type: "error-text", value: error }
      : { type: "error-json", value: error as JSONValue };
  const value = Object.keys(answer).length === 1 && output !== undefined ? output : answer;
  return typeof value === "string" ? { type: "text", value } : { type: "json", value: value as JSONValue };
}

function readFile(part: JsonObject, path: string): ContentItem {
  const file =
    part.inlineData === undefined
      ? readFileData(part.fileData, `${path}.fileData`)
      : readInlineData(part.inlineData, `${path}.inlineData`);
  const { data, mediaType } = file;
  const isImage = mediaType.startsWith("image/");
  if (data instanceof URL)
    return isImage ? { type: "image-url", url: data.href } : { type: "file-url", url: data.href, mediaType };
  return { type: isImage ? "image-data" : "file-data", data: String(data), mediaType };
}
