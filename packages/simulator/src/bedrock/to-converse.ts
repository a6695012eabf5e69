import { type JsonObject, objectOf, objectsIn, stringOf } from "../util/json.ts";
import { eventFrame } from "./event-frame.ts";

/** A Messages answer as Converse writes it. */
export function converseAnswer(message: JsonObject): JsonObject {
  return {
    output: { message: { role: "assistant", content: objectsIn(message.content).flatMap(toBlocks) } },
    stopReason: message.stop_reason,
    usage: usage(objectOf(message.usage)),
    metrics: { latencyMs: 1 },
    serviceTier: serviceTier(objectOf(message.usage)),
  };
}

/** The events of a Messages stream as Converse's, in its binary frames. */
export function* converseFrames(events: Iterable<string>): Generator<Buffer> {
  let counted: JsonObject = {};
  const writer = new EventWriter();
  for (const text of events) {
    const event = objectOf(JSON.parse(text.slice(text.indexOf("data: ") + "data: ".length)));
    counted = { ...counted, ...objectOf(objectOf(event.message).usage), ...objectOf(event.usage) };
    yield* writer.framesOf(event);
  }
  const metadata = { usage: usage(counted), metrics: { latencyMs: 1 }, serviceTier: serviceTier(counted) };
  yield frame("metadata", metadata);
}

/** Bedrock's word for the standard tier is another than Anthropic's. */
function serviceTier({ service_tier: tier }: JsonObject): JsonObject {
  return { type: tier === "standard" ? "default" : tier };
}

class EventWriter {
  /** What the open text cites: Converse has a block of its own for it behind the text. */
  #cited: JsonObject[] = [];
  /** How many of these there were. */
  #added = 0;

  *framesOf(event: JsonObject): Generator<Buffer> {
    const contentBlockIndex = Number(event.index) + this.#added;
    switch (event.type) {
      case "message_start":
        yield frame("messageStart", { role: "assistant" });
        return;
      case "content_block_start": {
        const start = announced(objectOf(event.content_block));
        if (start !== undefined) yield frame("contentBlockStart", { contentBlockIndex, start });
        return;
      }
      case "content_block_delta": {
        const delta = objectOf(event.delta);
        if (delta.type === "citations_delta") this.#cited.push(toCitation(objectOf(delta.citation)));
        else yield frame("contentBlockDelta", { contentBlockIndex, delta: toDelta(delta) });
        return;
      }
      case "content_block_stop":
        yield frame("contentBlockStop", { contentBlockIndex });
        yield* this.#citations(contentBlockIndex + 1);
        return;
      case "message_delta":
        yield frame("messageStop", { stopReason: objectOf(event.delta).stop_reason });
    }
  }

  *#citations(contentBlockIndex: number): Generator<Buffer> {
    const cited = this.#cited.splice(0);
    if (cited.length === 0) return;
    this.#added += 1;
    for (const citation of cited)
      yield frame("contentBlockDelta", { contentBlockIndex, delta: { citation } });
    yield frame("contentBlockStop", { contentBlockIndex });
  }
}

/** What the start of a block says; only tools and their results announce themselves. */
function announced(block: JsonObject): JsonObject | undefined {
  switch (block.type) {
    case "tool_use":
      return { toolUse: { toolUseId: block.id, name: block.name } };
    case "server_tool_use":
      return { toolUse: { toolUseId: block.id, name: GROUNDING, type: block.type } };
    case "web_search_tool_result":
      return { toolResult: searchResult(block) };
    default:
      return undefined;
  }
}

const GROUNDING = "nova_grounding";

/** Nova hides what a search found; its texts cite some of it. */
function searchResult({ tool_use_id: toolUseId }: JsonObject): JsonObject {
  return { toolUseId, type: `${GROUNDING}_result`, status: "success" };
}

function toCitation({ url }: JsonObject): JsonObject {
  return { location: { web: { url, domain: new URL(String(url)).hostname } } };
}

function toBlocks(block: JsonObject): JsonObject[] {
  switch (block.type) {
    case "tool_use":
      return [{ toolUse: { toolUseId: block.id, name: block.name, input: block.input } }];
    case "server_tool_use":
      return [{ toolUse: { toolUseId: block.id, name: GROUNDING, input: block.input, type: block.type } }];
    case "web_search_tool_result":
      return [{ toolResult: { ...searchResult(block), content: [{ text: "[HIDDEN]" }] } }];
    case "thinking":
      return [{ reasoningContent: { reasoningText: { text: block.thinking, signature: block.signature } } }];
    default: {
      const cited = objectsIn(block.citations).map(toCitation);
      const text = { text: stringOf(block.text) ?? "" };
      return cited.length === 0 ? [text] : [text, { citationsContent: { citations: cited } }];
    }
  }
}

function toDelta(delta: JsonObject): JsonObject {
  switch (delta.type) {
    case "input_json_delta":
      return { toolUse: { input: delta.partial_json } };
    case "thinking_delta":
      return { reasoningContent: { text: delta.thinking } };
    case "signature_delta":
      return { reasoningContent: { signature: delta.signature } };
    default:
      return { text: delta.text };
  }
}

function usage(counted: JsonObject): JsonObject {
  const inputTokens = Number(counted.input_tokens);
  const outputTokens = Number(counted.output_tokens);
  const cacheReadInputTokens = Number(counted.cache_read_input_tokens ?? 0);
  const cacheWriteInputTokens = Number(counted.cache_creation_input_tokens ?? 0);
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens + cacheReadInputTokens + cacheWriteInputTokens,
    cacheReadInputTokens,
    cacheWriteInputTokens,
  };
}

function frame(type: string, payload: JsonObject): Buffer {
  const headers = { ":event-type": type, ":content-type": "application/json", ":message-type": "event" };
  return eventFrame(headers, payload);
}
