import type { AnswerEnd } from "../../answers/answer.ts";

const reasons: Readonly<Record<AnswerEnd, string>> = {
  stop: "end_turn",
  "stop-sequence": "stop_sequence",
  length: "max_tokens",
  tools: "tool_use",
  refusal: "refusal",
};

/** `stop_reason` of a message. */
export function stopReason(end: AnswerEnd): string {
  return reasons[end];
}
