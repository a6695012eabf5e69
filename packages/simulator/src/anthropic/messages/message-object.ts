import type { JsonObject } from "../../util/json.ts";
import type { MessageResult } from "./message-result.ts";
import { messageUsage } from "./message-usage.ts";
import { stopReason } from "./stop-reason.ts";

/** The whole `message` object. */
export function messageObject(result: MessageResult): JsonObject {
  const { id, model, answer, content } = result;
  return {
    id,
    type: "message",
    role: "assistant",
    model,
    content: [...content],
    stop_reason: stopReason(answer.end),
    stop_sequence: answer.stopSequence ?? null,
    usage: messageUsage(result, answer.outputTokens),
  };
}
