import { tokenPieces } from "../../answers/tokens.ts";
import { type JsonObject, objectsIn, stringOf } from "../../util/json.ts";

type ItemEvent = JsonObject & { readonly type: string };

/** The events of one output item, from `output_item.added` to `output_item.done`, without numbers. */
export function* itemEvents(item: JsonObject, outputIndex: number): Generator<ItemEvent> {
  const at = { item_id: item.id, output_index: outputIndex };
  yield { type: "response.output_item.added", output_index: outputIndex, item: begun(item) };
  if (item.type === "message") yield* messageEvents(item, at);
  if (item.type === "function_call") yield* callEvents(item, at);
  if (item.type === "custom_tool_call") yield* inputEvents(item, at);
  if (item.type === "web_search_call")
    for (const phase of ["in_progress", "searching", "completed"])
      yield { type: `response.web_search_call.${phase}`, ...at };
  if (item.type === "reasoning") yield* reasoningEvents(item, at);
  yield { type: "response.output_item.done", output_index: outputIndex, item };
}

function begun(item: JsonObject): JsonObject {
  if (item.type === "message") return { ...item, status: "in_progress", content: [] };
  if (item.type === "function_call") return { ...item, status: "in_progress", arguments: "" };
  if (item.type === "custom_tool_call") return { ...item, status: "in_progress", input: "" };
  if (item.type === "web_search_call") {
    const { action: _, ...rest } = item;
    return { ...rest, status: "in_progress" };
  }
  return { ...item, summary: [] };
}

function* messageEvents(item: JsonObject, at: JsonObject): Generator<ItemEvent> {
  for (const [index, part] of objectsIn(item.content).entries()) {
    const place = { ...at, content_index: index };
    const refused = part.type === "refusal";
    const text = stringOf(refused ? part.refusal : part.text) ?? "";
    const empty = refused ? { ...part, refusal: "" } : { ...part, text: "", annotations: [] };
    const name = refused ? "response.refusal" : "response.output_text";
    const logprobs = refused ? {} : { logprobs: [] };
    yield { type: "response.content_part.added", ...place, part: empty };
    for (const delta of tokenPieces(text)) yield { type: `${name}.delta`, ...place, delta, ...logprobs };
    for (const [annotation_index, annotation] of objectsIn(part.annotations).entries())
      yield { type: "response.output_text.annotation.added", ...place, annotation_index, annotation };
    yield { type: `${name}.done`, ...place, ...(refused ? { refusal: text } : { text }), ...logprobs };
    yield { type: "response.content_part.done", ...place, part };
  }
}

function* callEvents(item: JsonObject, at: JsonObject): Generator<ItemEvent> {
  const text = stringOf(item.arguments) ?? "";
  for (const delta of tokenPieces(text)) {
    yield { type: "response.function_call_arguments.delta", ...at, delta };
  }
  yield { type: "response.function_call_arguments.done", ...at, name: item.name, arguments: text };
}

function* inputEvents({ input }: JsonObject, at: JsonObject): Generator<ItemEvent> {
  const text = stringOf(input) ?? "";
  for (const delta of tokenPieces(text))
    yield { type: "response.custom_tool_call_input.delta", ...at, delta };
  yield { type: "response.custom_tool_call_input.done", ...at, input: text };
}

function* reasoningEvents(item: JsonObject, at: JsonObject): Generator<ItemEvent> {
  for (const [index, part] of objectsIn(item.summary).entries()) {
    const place = { ...at, summary_index: index };
    const text = stringOf(part.text) ?? "";
    yield { type: "response.reasoning_summary_part.added", ...place, part: { ...part, text: "" } };
    for (const delta of tokenPieces(text)) {
      yield { type: "response.reasoning_summary_text.delta", ...place, delta };
    }
    yield { type: "response.reasoning_summary_text.done", ...place, text };
    yield { type: "response.reasoning_summary_part.done", ...place, part };
  }
}
