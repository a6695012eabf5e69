import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import type { Message, Part } from "../protocol/a2a-types.ts";

/** What a message adds to the conversation with the model: answers to its tool calls first, then the user's words. */
export function chatMessages(message: Message, transcript: readonly JsonObject[]): JsonObject[] {
  const open = openToolCalls(transcript);
  if (open.length === 0) return [userMessage(message.parts)];
  const answered = new Map<string, string>();
  const rest: Part[] = [];
  for (const part of message.parts) {
    const result = toolResult(part, open);
    if (result === undefined) rest.push(part);
    else answered.set(result.id, result.text);
  }
  const words = rest.map(partText).join("\n");
  const tools = open.map((id) => ({
    role: "tool",
    tool_call_id: id,
    content: answered.get(id) ?? (words === "" ? "no result" : words),
  }));
  // Words that stood in for a result are not said twice.
  const saidAlready = open.some((id) => !answered.has(id));
  return saidAlready || rest.length === 0 ? tools : [...tools, userMessage(rest)];
}

/** Ids of the tool calls that the model waits for. */
function openToolCalls(transcript: readonly JsonObject[]): string[] {
  const calls = transcript.at(-1)?.tool_calls;
  return Array.isArray(calls) ? calls.map((call) => String((call as JsonObject).id)) : [];
}

/** A data part `{"tool_call_id": ..., "result": ...}`; the id may be left out where only one call is open. */
function toolResult(part: Part, open: readonly string[]): { id: string; text: string } | undefined {
  if (!isJsonObject(part.data) || part.data.result === undefined) return undefined;
  const { tool_call_id: named, result } = part.data;
  const id = named === undefined && open.length === 1 ? open[0] : open.find((call) => call === named);
  if (id === undefined) return undefined;
  return { id, text: typeof result === "string" ? result : JSON.stringify(result) };
}

function userMessage(parts: readonly Part[]): JsonObject {
  const onlyText = parts.every((part) => contentPart(part).type === "text");
  return {
    role: "user",
    content: onlyText ? parts.map(partText).join("\n") : parts.map(contentPart),
  };
}

/** A part as the chat format has it; what that has no kind for is described in words. */
function contentPart(part: Part): JsonObject {
  const { raw, url, mediaType = "application/octet-stream", filename } = part;
  const address = raw === undefined ? url : `data:${mediaType};base64,${raw}`;
  if (address !== undefined && mediaType.startsWith("image/"))
    return { type: "image_url", image_url: { url: address } };
  if (raw !== undefined) return { type: "file", file: { filename: filename ?? "file", file_data: address } };
  return { type: "text", text: partText(part) };
}

function partText(part: Part): string {
  if (part.text !== undefined) return part.text;
  if (part.url !== undefined) return part.filename === undefined ? part.url : `${part.filename}: ${part.url}`;
  return JSON.stringify(part.data ?? null);
}
