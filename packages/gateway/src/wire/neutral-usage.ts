import type { LanguageModelV3Usage } from "@ai-sdk/provider";
import type { Usage } from "../contract/usage.ts";

/** Our counts as the neutral model's. */
export function toNeutralUsage(usage: Usage | undefined): LanguageModelV3Usage {
  return {
    inputTokens: {
      total: usage?.input,
      noCache: usage === undefined ? undefined : usage.input - usage.cacheRead - usage.cacheWrite,
      cacheRead: usage?.cacheRead,
      cacheWrite: usage?.cacheWrite,
    },
    outputTokens: {
      total: usage?.output,
      text: usage === undefined ? undefined : usage.output - usage.reasoning,
      reasoning: usage?.reasoning,
    },
  };
}

/** The neutral model's counts as ours; `undefined` when the provider counted nothing. */
export function fromNeutralUsage(usage: LanguageModelV3Usage): Usage | undefined {
  const { inputTokens, outputTokens } = usage;
  if (inputTokens.total === undefined && outputTokens.total === undefined) return undefined;
  return {
    input: inputTokens.total ?? 0,
    output: outputTokens.total ?? 0,
    cacheRead: inputTokens.cacheRead ?? 0,
    cacheWrite: inputTokens.cacheWrite ?? 0,
    reasoning: outputTokens.reasoning ?? 0,
  };
}

/** A count out of an answer: anything but a number that is finite and not negative counts as nothing. */
export function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : 0;
}
