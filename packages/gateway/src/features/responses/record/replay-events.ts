import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import { namedEvent } from "../../../formats/sse-event.ts";
import type { JournalEntry } from "../../../platform/journal/journal-store.ts";
import { outputOf } from "./stored-row.ts";

type Event = readonly [type: string, members: JsonObject];

/** The stream of a response that was never streamed, as one that comes all at once. */
export function replayEvents(response: JsonObject): JournalEntry[] {
  const begun = { ...response, status: "in_progress", output: [], usage: null, completed_at: null };
  const events: Event[] = [
    ["response.created", { response: begun }],
    ["response.in_progress", { response: begun }],
    ...outputOf(response).flatMap(itemEvents),
    [`response.${response.status === "cancelled" ? "failed" : String(response.status)}`, { response }],
  ];
  return events.map(([type, members], sequence) => ({
    sequence,
    data: namedEvent(type, { type, sequence_number: sequence, ...members }),
    last: sequence === events.length - 1,
  }));
}

function itemEvents(item: JsonObject, output_index: number): Event[] {
  const place = { item_id: item.id, output_index };
  return [
    ["response.output_item.added", { output_index, item: begunItem(item) }],
    ...contentEvents(item, place),
    ["response.output_item.done", { output_index, item }],
  ];
}

function begunItem(item: JsonObject): JsonObject {
  if (item.type === "message") return { ...item, status: "in_progress", content: [] };
  if (item.type === "function_call") return { ...item, status: "in_progress", arguments: "" };
  return item.type === "reasoning" ? { ...item, summary: [] } : item;
}

function contentEvents(item: JsonObject, place: JsonObject): Event[] {
  if (item.type === "function_call") {
    const { name, arguments: text } = item;
    return [
      ["response.function_call_arguments.delta", { ...place, delta: text }],
      ["response.function_call_arguments.done", { ...place, name, arguments: text }],
    ];
  }
  if (item.type === "message")
    return parts(item.content).flatMap((part, index) => textEvents(part, index, place));
  if (item.type === "reasoning")
    return parts(item.summary).flatMap((part, index) => summaryEvents(part, index, place));
  return [];
}

function textEvents(part: JsonObject, content_index: number, place: JsonObject): Event[] {
  const at = { ...place, content_index };
  const { text } = part;
  return [
    ["response.content_part.added", { ...at, part: { ...part, text: "" } }],
    ["response.output_text.delta", { ...at, delta: text, logprobs: [] }],
    ["response.output_text.done", { ...at, text, logprobs: [] }],
    ["response.content_part.done", { ...at, part }],
  ];
}

function summaryEvents(part: JsonObject, summary_index: number, place: JsonObject): Event[] {
  const at = { ...place, summary_index };
  const { text } = part;
  return [
    ["response.reasoning_summary_part.added", { ...at, part: { ...part, text: "" } }],
    ["response.reasoning_summary_text.delta", { ...at, delta: text }],
    ["response.reasoning_summary_text.done", { ...at, text }],
    ["response.reasoning_summary_part.done", { ...at, part }],
  ];
}

function parts(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
