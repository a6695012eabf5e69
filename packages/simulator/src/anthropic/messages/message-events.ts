import { tokenPieces } from "../../answers/tokens.ts";
import { namedEvent } from "../../http/sse.ts";
import { type JsonObject, objectsIn, stringOf } from "../../util/json.ts";
import { messageObject } from "./message-object.ts";
import type { MessageResult } from "./message-result.ts";
import { messageUsage, serverToolUse } from "./message-usage.ts";
import { stopReason } from "./stop-reason.ts";

/** The events of a streamed message in Anthropic's order; a `ping` follows the first block's start. */
export function* messageEvents(result: MessageResult): Generator<string> {
  const { answer, content } = result;
  const start: JsonObject = {
    ...messageObject(result),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: messageUsage(result, 1),
  };
  yield namedEvent({ type: "message_start", message: start });
  for (const [index, block] of content.entries()) {
    yield namedEvent({ type: "content_block_start", index, content_block: emptied(block) });
    if (index === 0) yield namedEvent({ type: "ping" });
    const head = `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":`;
    for (const delta of deltas(block)) yield `${head}${JSON.stringify(delta)}}\n\n`;
    yield namedEvent({ type: "content_block_stop", index });
  }
  yield namedEvent({
    type: "message_delta",
    delta: { stop_reason: stopReason(answer.end), stop_sequence: answer.stopSequence ?? null },
    usage: finalUsage(result),
  });
  yield namedEvent({ type: "message_stop" });
}

function finalUsage({ input, answer }: MessageResult) {
  return {
    input_tokens: input.fresh,
    cache_creation_input_tokens: input.written,
    cache_read_input_tokens: input.read,
    output_tokens: answer.outputTokens,
    ...serverToolUse({ answer }),
  };
}

function emptied(block: JsonObject): JsonObject {
  if (block.type === "text") return { ...block, text: "", citations: block.citations === null ? null : [] };
  if (block.type === "thinking") return { ...block, thinking: "", signature: "" };
  if (block.type === "tool_use" || block.type === "server_tool_use") return { ...block, input: {} };
  return block;
}

function* deltas(block: JsonObject): Generator<JsonObject> {
  if (block.type === "text") {
    for (const citation of objectsIn(block.citations)) yield { type: "citations_delta", citation };
    for (const text of tokenPieces(stringOf(block.text) ?? "")) yield { type: "text_delta", text };
  }
  if (block.type === "thinking") {
    for (const thinking of tokenPieces(stringOf(block.thinking) ?? ""))
      yield { type: "thinking_delta", thinking };
    yield { type: "signature_delta", signature: block.signature };
  }
  if (block.type === "tool_use" || block.type === "server_tool_use") {
    // The real API opens with an empty piece, and a call without arguments has only that one.
    yield { type: "input_json_delta", partial_json: "" };
    const json = JSON.stringify(block.input);
    if (json === "{}") return;
    for (const piece of tokenPieces(json)) yield { type: "input_json_delta", partial_json: piece };
  }
}
