import type { LanguageModelV3FinishReason } from "@ai-sdk/provider";

type Unified = LanguageModelV3FinishReason["unified"];

const unifiedOf: ReadonlyMap<string, Unified> = new Map<string, Unified>([
  ["stop", "stop"],
  ["length", "length"],
  ["content_filter", "content-filter"],
  ["tool_calls", "tool-calls"],
  ["function_call", "tool-calls"],
  ["error", "error"],
]);

const chatOf: Readonly<Record<Unified, string>> = {
  stop: "stop",
  length: "length",
  "content-filter": "content_filter",
  "tool-calls": "tool_calls",
  error: "stop",
  other: "stop",
};

/** OpenAI's `finish_reason` as the neutral one. */
export function readChatFinishReason(raw: string | undefined): LanguageModelV3FinishReason {
  return { unified: unifiedOf.get(raw ?? "") ?? "other", raw };
}

/** The neutral reason in OpenAI's words. */
export function writeChatFinishReason(reason: LanguageModelV3FinishReason): string {
  return chatOf[reason.unified];
}
