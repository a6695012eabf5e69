import type { LanguageModelV3FinishReason, LanguageModelV3GenerateResult } from "@ai-sdk/provider";
import { GatewayError } from "../contract/errors.ts";
import { fromNeutralUsage } from "./usage.ts";

/** An answer's id in a dialect's form: its prefix and the call id without dashes. */
export function answerId(prefix: string, callId: string, part?: number): string {
  const id = `${prefix}${callId.replace(/[^A-Za-z0-9]/g, "")}`;
  return part === undefined ? id : `${id}${part.toString(16).padStart(4, "0")}`;
}

type Unified = LanguageModelV3FinishReason["unified"];

/** How an answer ends that a caller may take for one. */
export type EndReason = Exclude<Unified, "error">;

/** A provider's word that an error may repeat. */
const plainWord = /^[\w :-]{1,64}$/;

/**
 * The reason of an answer that has ended in one way or another.
 * @throws GatewayError 502 for one that its model or its provider broke off. None of the formats has a word for that
 *   which clients know, and any other would make a broken answer look complete.
 */
export function endOf({
  finishReason: { unified, raw },
  usage,
}: Pick<LanguageModelV3GenerateResult, "finishReason" | "usage">): EndReason {
  if (unified !== "error") return unified;
  const word = raw !== undefined && plainWord.test(raw) ? ` (${raw})` : "";
  throw new GatewayError(502, "api_error", `The model broke off its answer${word}; try again`, {
    billed: { usage: fromNeutralUsage(usage) },
  });
}

const unifiedOfChat: ReadonlyMap<string, Unified> = new Map<string, Unified>([
  ["stop", "stop"],
  ["length", "length"],
  // Mistral's word for the end of the model's own window.
  ["model_length", "length"],
  ["content_filter", "content-filter"],
  ["tool_calls", "tool-calls"],
  ["function_call", "tool-calls"],
  // OpenRouter and Mistral; vLLM and SGLang; DeepSeek; proxies in front of Gemini.
  ["error", "error"],
  ["abort", "error"],
  ["insufficient_system_resource", "error"],
  ["malformed_function_call", "error"],
]);

/** Google's own endpoint of OpenAI's kind writes its reason behind these. */
const prefixesOfChat: ReadonlyMap<string, Unified> = new Map<string, Unified>([
  ["content_filter", "content-filter"],
  ["function_call_filter", "error"],
]);

const chatOf: Readonly<Record<EndReason, string>> = {
  stop: "stop",
  length: "length",
  "content-filter": "content_filter",
  "tool-calls": "tool_calls",
  other: "stop",
};

/** OpenAI's `finish_reason` as the neutral one. A word that is not known is a host's own for an answer like any other. */
export function readChatFinishReason(raw: string | undefined): LanguageModelV3FinishReason {
  const word = raw ?? "";
  const known = unifiedOfChat.get(word) ?? prefixesOfChat.get(word.slice(0, Math.max(0, word.indexOf(":"))));
  return { unified: known ?? "other", raw };
}

/** A neutral reason in OpenAI's words. */
export function writeChatFinishReason(reason: EndReason): string {
  return chatOf[reason];
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

const messagesOf: Readonly<Record<EndReason, string>> = {
  stop: "end_turn",
  length: "max_tokens",
  "content-filter": "refusal",
  "tool-calls": "tool_use",
  other: "end_turn",
};

/** Anthropic's `stop_reason` as the neutral one. */
export function readStopReason(raw: string | undefined): LanguageModelV3FinishReason {
  return { unified: unifiedOfMessages.get(raw ?? "") ?? "other", raw };
}

/** A neutral reason in Anthropic's words. */
export function writeStopReason(reason: EndReason): string {
  return messagesOf[reason];
}

const unifiedOfConverse: ReadonlyMap<string, Unified> = new Map<string, Unified>([
  ["guardrail_intervened", "content-filter"],
  ["content_filtered", "content-filter"],
  ["malformed_model_output", "error"],
  ["malformed_tool_use", "error"],
]);

/** Converse's `stopReason` as the neutral one (Bedrock API reference, "MessageStopEvent"); most are Anthropic's. */
export function readConverseStopReason(raw: string | undefined): LanguageModelV3FinishReason {
  const known = unifiedOfConverse.get(raw ?? "");
  return known === undefined ? readStopReason(raw) : { unified: known, raw };
}

/** Reasons of Google's that are about the content (Gemini API reference, "FinishReason"; Vertex AI has `MODEL_ARMOR`). */
const filtersOfGemini: ReadonlySet<string> = new Set([
  "SAFETY",
  "RECITATION",
  "LANGUAGE",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "MODEL_ARMOR",
  "IMAGE_SAFETY",
  "IMAGE_PROHIBITED_CONTENT",
  "IMAGE_RECITATION",
]);

/**
 * Google's reason as the neutral one, where the library read it so far. Its list of reasons grows, and only two of them
 * say that the model ended its answer itself; without any it has not ended it.
 */
export function readGeminiFinishReason(read: LanguageModelV3FinishReason): LanguageModelV3FinishReason {
  const { unified, raw } = read;
  if (unified !== "other") return read;
  return { unified: raw !== undefined && filtersOfGemini.has(raw) ? "content-filter" : "error", raw };
}

const geminiOf: Readonly<Record<EndReason, string>> = {
  stop: "STOP",
  length: "MAX_TOKENS",
  "content-filter": "SAFETY",
  // Calls are no reason of their own for Google.
  "tool-calls": "STOP",
  other: "STOP",
};

/** A neutral reason in Google's words. */
export function writeGeminiFinishReason(reason: EndReason): string {
  return geminiOf[reason];
}
