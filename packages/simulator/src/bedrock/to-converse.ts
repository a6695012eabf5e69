import { type JsonObject, objectOf, objectsIn, stringOf } from "../util/json.ts";
import { eventFrame } from "./event-frame.ts";

/** A Messages answer as Converse writes it. */
export function converseAnswer(message: JsonObject): JsonObject {
  return {
    output: { message: { role: "assistant", content: objectsIn(message.content).map(toBlock) } },
    stopReason: message.stop_reason,
    usage: usage(objectOf(message.usage)),
    metrics: { latencyMs: 1 },
    serviceTier: serviceTier(objectOf(message.usage)),
  };
}

/** The events of a Messages stream as Converse's, in its binary frames. */
export function* converseFrames(events: Iterable<string>): Generator<Buffer> {
  let counted: JsonObject = {};
  for (const text of events) {
    const event = objectOf(JSON.parse(text.slice(text.indexOf("data: ") + "data: ".length)));
    counted = { ...counted, ...objectOf(objectOf(event.message).usage), ...objectOf(event.usage) };
    yield* framesOf(event);
  }
  const metadata = { usage: usage(counted), metrics: { latencyMs: 1 }, serviceTier: serviceTier(counted) };
  yield frame("metadata", metadata);
}

/** Bedrock's word for the standard tier is another than Anthropic's. */
function serviceTier({ service_tier: tier }: JsonObject): JsonObject {
  return { type: tier === "standard" ? "default" : tier };
}

function* framesOf(event: JsonObject): Generator<Buffer> {
  const contentBlockIndex = event.index;
  switch (event.type) {
    case "message_start":
      yield frame("messageStart", { role: "assistant" });
      return;
    case "content_block_start": {
      const block = objectOf(event.content_block);
      // Only tools announce themselves.
      if (block.type !== "tool_use") return;
      const start = { toolUse: { toolUseId: block.id, name: block.name } };
      yield frame("contentBlockStart", { contentBlockIndex, start });
      return;
    }
    case "content_block_delta":
      yield frame("contentBlockDelta", { contentBlockIndex, delta: toDelta(objectOf(event.delta)) });
      return;
    case "content_block_stop":
      yield frame("contentBlockStop", { contentBlockIndex });
      return;
    case "message_delta":
      yield frame("messageStop", { stopReason: objectOf(event.delta).stop_reason });
  }
}

function toBlock(block: JsonObject): JsonObject {
  switch (block.type) {
    case "tool_use":
      return { toolUse: { toolUseId: block.id, name: block.name, input: block.input } };
    case "thinking":
      return { reasoningContent: { reasoningText: { text: block.thinking, signature: block.signature } } };
    default:
      return { text: stringOf(block.text) ?? "" };
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
