import type { Answer } from "../../answers/answer.ts";
import type { JsonObject } from "../../util/json.ts";
import { redact, signThinking } from "./signature.ts";

/** The content blocks of an answer: thinking, text, tool calls, in this order. */
export function contentBlocks(answer: Answer, nextToolId: () => string): JsonObject[] {
  const blocks: JsonObject[] = [];
  if (answer.thinking !== undefined) {
    blocks.push(
      answer.redactedThinking
        ? { type: "redacted_thinking", data: redact(answer.thinking) }
        : { type: "thinking", thinking: answer.thinking, signature: signThinking(answer.thinking) },
    );
  }
  if (answer.text !== "") blocks.push({ type: "text", text: answer.text, citations: null });
  for (const call of answer.calls) {
    blocks.push({ type: "tool_use", id: nextToolId(), name: call.name, input: call.input });
  }
  return blocks;
}
