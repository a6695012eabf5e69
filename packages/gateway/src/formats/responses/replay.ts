import { isJsonObject, type JsonObject, parseJsonObject } from "../../contract/json.ts";
import type { Replay } from "../replay.ts";
import { namedEvent, type SseEvent } from "../sse-event.ts";

type Told = readonly [name: string, members: JsonObject];

/** Responses and their events (OpenAI API reference, "Streaming events" of Responses). */
export const responsesReplay: Replay = {
  wholeOf: (events: readonly SseEvent[]) => {
    const last = parseJsonObject(events.findLast(({ data }) => data !== "[DONE]")?.data ?? "");
    return last?.type === "response.completed" && isJsonObject(last.response) ? last.response : undefined;
  },
  eventsOf: (answer: JsonObject) => {
    const begun = { ...answer, status: "in_progress", output: [], usage: null, completed_at: null };
    const output = Array.isArray(answer.output) ? (answer.output as JsonObject[]) : [];
    const told: Told[] = [
      ["response.created", { response: begun }],
      ["response.in_progress", { response: begun }],
      ...output.flatMap(itemEvents),
      ["response.completed", { response: answer }],
    ];
    return told
      .map(([type, members], sequence_number) => namedEvent(type, { type, sequence_number, ...members }))
      .join("");
  },
};

/** An item from its beginning to its end; a kind of item that has no deltas comes whole. */
function itemEvents(item: JsonObject, output_index: number): Told[] {
  const { begin, inner } = piecesOf(item);
  const place = { item_id: item.id, output_index };
  return [
    ["response.output_item.added", { output_index, item: begin }],
    ...inner.map(([name, members]): Told => [name, { ...place, ...members }]),
    ["response.output_item.done", { output_index, item }],
  ];
}

function piecesOf(item: JsonObject): { begin: JsonObject; inner: Told[] } {
  const begun = { ...item, status: "in_progress" };
  const list = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);
  switch (item.type) {
    case "message":
      return { begin: { ...begun, content: [] }, inner: list(item.content).flatMap(partEvents) };
    case "function_call":
      return {
        begin: { ...begun, arguments: "" },
        inner: deltaAndDone("response.function_call_arguments", "arguments", item.arguments, {
          name: item.name,
        }),
      };
    case "custom_tool_call":
      return {
        begin: { ...begun, input: "" },
        inner: deltaAndDone("response.custom_tool_call_input", "input", item.input, {}),
      };
    case "reasoning": {
      const content = item.content === undefined ? {} : { content: [] };
      const summaries = list(item.summary).flatMap(summaryEvents);
      const thoughts = list(item.content).flatMap((part, content_index) =>
        deltaAndDone("response.reasoning_text", "text", part.text, {}).map(
          ([name, members]): Told => [name, { content_index, ...members }],
        ),
      );
      return { begin: { ...item, summary: [], ...content }, inner: [...summaries, ...thoughts] };
    }
    default:
      return { begin: item, inner: [] };
  }
}

/** @param further what the `done` event says beside the text */
function deltaAndDone(event: string, member: string, text: unknown, further: JsonObject): Told[] {
  return [
    [`${event}.delta`, { delta: text ?? "" }],
    [`${event}.done`, { ...further, [member]: text ?? "" }],
  ];
}

function partEvents(part: JsonObject, content_index: number): Told[] {
  const isRefusal = part.type === "refusal";
  const annotations = Array.isArray(part.annotations) ? part.annotations : [];
  const empty = isRefusal
    ? { ...part, refusal: "" }
    : { ...part, text: "", ...(part.annotations === undefined ? {} : { annotations: [] }) };
  const logprobs = { logprobs: part.logprobs ?? [] };
  const text = isRefusal
    ? deltaAndDone("response.refusal", "refusal", part.refusal, {})
    : deltaAndDone("response.output_text", "text", part.text, logprobs);
  const told: Told[] = [
    ["response.content_part.added", { part: empty }],
    ...text.map(([name, members]): Told => [name, isRefusal ? members : { ...logprobs, ...members }]),
    ...annotations.map(
      (annotation, annotation_index): Told => [
        "response.output_text.annotation.added",
        { annotation_index, annotation },
      ],
    ),
    ["response.content_part.done", { part }],
  ];
  return told.map(([name, members]): Told => [name, { content_index, ...members }]);
}

function summaryEvents(part: JsonObject, summary_index: number): Told[] {
  const told: Told[] = [
    ["response.reasoning_summary_part.added", { part: { ...part, text: "" } }],
    ...deltaAndDone("response.reasoning_summary_text", "text", part.text, {}),
    ["response.reasoning_summary_part.done", { part }],
  ];
  return told.map(([name, members]): Told => [name, { summary_index, ...members }]);
}
