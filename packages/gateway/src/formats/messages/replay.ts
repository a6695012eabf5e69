import { isJsonObject, type JsonObject, objectOf, parseJsonObject } from "../../contract/json.ts";
import type { Replay } from "../replay.ts";
import { namedEvent, type SseEvent } from "../sse-event.ts";

/** Messages and their events (Anthropic API reference, "Streaming messages"). */
export const messagesReplay: Replay = {
  wholeOf: (events: readonly SseEvent[]) => {
    let message: JsonObject | undefined;
    const blocks: Block[] = [];
    for (const event of events) {
      const data = parseJsonObject(event.data) ?? {};
      const index = data.index as number;
      if (data.type === "message_start") message = { ...objectOf(data.message) };
      else if (data.type === "content_block_start")
        blocks[index] = { block: { ...objectOf(data.content_block) }, json: "" };
      else if (data.type === "content_block_delta" && blocks[index] !== undefined)
        addDelta(blocks[index], objectOf(data.delta));
      else if (data.type === "message_delta" && message !== undefined) {
        const usage = { ...objectOf(message.usage), ...objectOf(data.usage) };
        message = { ...message, ...objectOf(data.delta), usage };
      }
    }
    return message && { ...message, content: blocks.map(finished) };
  },
  eventsOf: ({ content, stop_reason, stop_sequence, usage, ...message }: JsonObject) => {
    const empty = { content: [], stop_reason: null, stop_sequence: null };
    const begin = { ...message, ...empty, usage: { ...objectOf(usage), output_tokens: 0 } };
    const blocks = Array.isArray(content) ? (content as JsonObject[]) : [];
    return [
      namedEvent("message_start", { type: "message_start", message: begin }),
      ...blocks.map(blockEvents),
      namedEvent("message_delta", {
        type: "message_delta",
        delta: { stop_reason, stop_sequence: stop_sequence ?? null },
        usage: objectOf(usage),
      }),
      namedEvent("message_stop", { type: "message_stop" }),
    ].join("");
  },
};

/** A block and the JSON of its input as far as it came. */
interface Block {
  readonly block: JsonObject;
  json: string;
}

function addDelta(open: Block, { type, ...delta }: JsonObject): void {
  const { block } = open;
  if (type === "input_json_delta") open.json += String(delta.partial_json ?? "");
  else if (type === "citations_delta")
    block.citations = [...(Array.isArray(block.citations) ? block.citations : []), delta.citation];
  else {
    for (const [name, value] of Object.entries(delta)) {
      const before = block[name];
      block[name] = typeof before === "string" && typeof value === "string" ? before + value : value;
    }
  }
}

function finished({ block, json }: Block): JsonObject {
  return json === "" ? block : { ...block, input: parseJsonObject(json) ?? {} };
}

function blockEvents(block: JsonObject, index: number): string {
  const { begin, deltas } = piecesOf(block);
  return [
    namedEvent("content_block_start", { type: "content_block_start", index, content_block: begin }),
    ...deltas.map((delta) =>
      namedEvent("content_block_delta", { type: "content_block_delta", index, delta }),
    ),
    namedEvent("content_block_stop", { type: "content_block_stop", index }),
  ].join("");
}

/** What a block begins as, and what is added to it; a kind of block that has no deltas comes whole. */
function piecesOf(block: JsonObject): { begin: JsonObject; deltas: JsonObject[] } {
  const { type, text, thinking, signature, citations, input } = block;
  if (type === "text") {
    const cited = Array.isArray(citations) ? citations : undefined;
    const begin = { ...block, text: "", ...(cited === undefined ? {} : { citations: [] }) };
    const found = (cited ?? []).map((citation) => ({ type: "citations_delta", citation }));
    return { begin, deltas: [{ type: "text_delta", text }, ...found] };
  }
  if (type === "thinking")
    return {
      begin: { ...block, thinking: "", signature: "" },
      deltas: [
        { type: "thinking_delta", thinking },
        ...(typeof signature === "string" ? [{ type: "signature_delta", signature }] : []),
      ],
    };
  if (!isJsonObject(input)) return { begin: block, deltas: [] };
  const partial_json = JSON.stringify(input);
  return { begin: { ...block, input: {} }, deltas: [{ type: "input_json_delta", partial_json }] };
}
