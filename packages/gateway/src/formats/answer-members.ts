import type { LanguageModelV3FinishReason } from "@ai-sdk/provider";

/** An answer's id in a dialect's form: its prefix and the call id without dashes. */
export function answerId(prefix: string, callId: string, part?: number): string {
  const id = `${prefix}${callId.replace(/[^A-Za-z0-9]/g, "")}`;
  return part === undefined ? id : `${id}${part.toString(16).padStart(4, "0")}`;
}

type Unified = LanguageModelV3FinishReason["unified"];

const unifiedOfChat: ReadonlyMap<string, Unified> = new Map<string, Unified>([
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
  return { unified: unifiedOfChat.get(raw ?? "") ?? "other", raw };
}

/** The neutral reason in OpenAI's words. */
export function writeChatFinishReason(reason: LanguageModelV3FinishReason): string {
  return chatOf[reason.unified];
}

const unifiedOfMessages: ReadonlyMap<string, Unified> = new Map<string, Unified>([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["pause_turn", "stop"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["tool_use", "tool-calls"],
  ["refusal", "content-filter"],
]);

const messagesOf: Readonly<Record<Unified, string>> = {
  stop: "end_turn",
  length: "max_tokens",
  "content-filter": "refusal",
  "tool-calls": "tool_use",
  error: "end_turn",
  other: "end_turn",
};

/** Anthropic's `stop_reason` as the neutral one. */
export function readStopReason(raw: string | undefined): LanguageModelV3FinishReason {
  return { unified: unifiedOfMessages.get(raw ?? "") ?? "other", raw };
}

/** The neutral reason in Anthropic's words. */
export function writeStopReason(reason: LanguageModelV3FinishReason): string {
  return messagesOf[reason.unified];
}
