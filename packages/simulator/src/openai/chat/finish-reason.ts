import type { AnswerEnd } from "../../answers/answer.ts";

const reasons: Readonly<Record<AnswerEnd, string>> = {
  stop: "stop",
  "stop-sequence": "stop",
  length: "length",
  tools: "tool_calls",
  refusal: "stop",
};

/** `finish_reason` of a choice. */
export function finishReason(end: AnswerEnd): string {
  return reasons[end];
}
