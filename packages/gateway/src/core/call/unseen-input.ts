import type { Target } from "../../contract/deployment.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { windowOf } from "../ledger/model-facts.ts";

/**
 * Tokens of a picture at most. Small models of OpenAI count them 33 times (OpenAI's guide on images, "Calculating
 * costs": 2,833 and 5,667 for each of eight tiles).
 */
const PICTURE_TOKENS = 12_000;
const SMALL_MODELS_PICTURE_TOKENS = 48_200;
const smallModel = /gpt-4o-mini/;

const pictures: ReadonlySet<unknown> = new Set(["image", "image_url", "input_image", "computer_screenshot"]);
/** Content whose length only the provider finds out: it is named by an address or an id, or packed. */
const documents: ReadonlySet<unknown> = new Set([
  "file",
  "input_file",
  "document",
  "container_upload",
  "input_audio",
  "audio",
  "audio_url",
  "input_video",
  "video",
  "video_url",
  "search_result",
]);
/** Tools that the provider runs itself, and whose results the model reads. */
const hostedTool =
  /^(?:web_|code_|file_search|mcp|image_generation|tool_search|google_?search|url_?context|codeExecution|fileSearch|googleMaps|enterpriseWebSearch|retrieval)/i;

/**
 * Input tokens that a request's bytes do not show: pictures, documents and sound, what hosted tools find, and the
 * conversation that it continues at the provider or the gateway.
 */
export function unseenInput(data: JsonObject, target: Target): number {
  const found = { pictures: 0, isOpen: continues(data) || asksHostedTools(data) };
  for (const content of [data.messages, data.input, data.system, data.contents]) look(content, found);
  const perPicture = smallModel.test(target.model) ? SMALL_MODELS_PICTURE_TOKENS : PICTURE_TOKENS;
  return found.isOpen ? windowOf(target) : found.pictures * perPicture;
}

function continues(data: JsonObject): boolean {
  const { previous_response_id: previous, conversation, prompt, cachedContent: cached } = data;
  if (typeof cached === "string" && cached !== "") return true;
  return typeof previous === "string" || (conversation ?? undefined) !== undefined || isJsonObject(prompt);
}

function asksHostedTools({ tools, mcp_servers: servers, web_search_options: search }: JsonObject): boolean {
  if (isJsonObject(search) || (Array.isArray(servers) && servers.length > 0)) return true;
  if (!Array.isArray(tools)) return false;
  return tools.some(
    (tool) =>
      isJsonObject(tool) &&
      // Google's tools have a member each.
      (typeof tool.type === "string" ? [tool.type] : Object.keys(tool)).some((name) => hostedTool.test(name)),
  );
}

/** Goes through messages and their parts, and through results of tools within these, each once. */
function look(content: unknown, found: { pictures: number; isOpen: boolean }): void {
  const open = [content];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) {
      for (const each of value) if (typeof each === "object" && each !== null) open.push(each);
    } else if (isJsonObject(value)) {
      if (pictures.has(value.type)) found.pictures += 1;
      else if (documents.has(value.type)) found.isOpen = true;
      else lookAtFile(value, found);
      for (const inner of [value.content, value.output, value.parts, value.functionResponse])
        if (typeof inner === "object" && inner !== null) open.push(inner);
    }
  }
}

/** Google's files stand in a part of their own, with their type. */
function lookAtFile(part: JsonObject, found: { pictures: number; isOpen: boolean }): void {
  const file = part.inlineData ?? part.fileData;
  if (!isJsonObject(file)) return;
  if (typeof file.mimeType === "string" && file.mimeType.startsWith("image/")) found.pictures += 1;
  else found.isOpen = true;
}
