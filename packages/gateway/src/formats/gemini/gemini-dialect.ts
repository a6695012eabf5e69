import type { Dialect } from "../../contract/dialect.ts";
import { dataEvent } from "../sse-event.ts";
import { GeminiEncoder } from "./encoder.ts";
import { geminiErrorBody } from "./error-body.ts";
import { geminiFromResult } from "./from-result.ts";
import { GeminiGrammar } from "./gemini-grammar.ts";
import { geminiToCallOptions } from "./to-call-options.ts";
import { readGeminiUsage } from "./usage.ts";

/** Google's `generateContent`. */
export const geminiDialect: Dialect = {
  format: "gemini",
  toCallOptions: geminiToCallOptions,
  fromResult: geminiFromResult,
  encoder: (context, check) => new GeminiEncoder(context, check),
  grammar: () => new GeminiGrammar(),
  errorEvent: (error) => dataEvent(geminiErrorBody(error)),
  usageOf: (answer) => readGeminiUsage(answer.usageMetadata),
};
