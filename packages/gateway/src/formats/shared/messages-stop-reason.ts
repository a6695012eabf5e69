import type { LanguageModelV3FinishReason } from "@ai-sdk/provider";

type Unified = LanguageModelV3FinishReason["unified"];

const unifiedOf: ReadonlyMap<string, Unified> = new Map<string, Unified>([
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
  return { unified: unifiedOf.get(raw ?? "") ?? "other", raw };
}

/** The neutral reason in Anthropic's words. */
export function writeStopReason(reason: LanguageModelV3FinishReason): string {
  return messagesOf[reason.unified];
}
