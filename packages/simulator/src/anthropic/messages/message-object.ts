import type { JsonObject } from "../../util/json.ts";
import type { MessageResult } from "./message-result.ts";
import { messageUsage } from "./message-usage.ts";
import { stopReason } from "./stop-reason.ts";

/** The whole `message` object. */
export function messageObject({ id, model, answer, content, input }: MessageResult): JsonObject {
  return {
    id,
    type: "message",
    role: "assistant",
    model,
    content: [...content],
    stop_reason: stopReason(answer.end),
    stop_sequence: answer.stopSequence ?? null,
    usage: messageUsage(input, answer.outputTokens),
  };
}
