import type { LanguageModelV3CallOptions, LanguageModelV3Prompt } from "@ai-sdk/provider";
import type { JsonObject } from "../../contract/json.ts";
import { readNeutralOptions } from "../../formats/provider-options.ts";
import { reasoningBudget, reasoningEffort } from "../../formats/reasoning-effort.ts";
import { redactedDataOf, signatureOf } from "../../formats/signature.ts";

/** Models that decide themselves how long to think and take an effort instead of a budget. */
const adaptiveModel = /claude-(?:(?:opus|sonnet|haiku)-(?:4-[6-9]|[5-9])|mythos|fable)/;
/** The least that Anthropic accepts. */
const MIN_BUDGET = 1024;

/** How a call asks Anthropic to think. */
export interface Thinking {
  readonly thinking: JsonObject;
  /** For `output_config`, where the model takes an effort. */
  readonly effort: string | undefined;
  /** Tokens that must be added to `max_tokens`, which includes them. */
  readonly budget: number;
}

/**
 * The thinking that a call asks for; `undefined` for none. None either when the model is in the middle of a round of
 * tools that it began without signed thinking, because Anthropic refuses to start thinking there.
 */
export function thinkingOf(options: LanguageModelV3CallOptions, model: string): Thinking | undefined {
  const { reasoning } = readNeutralOptions(options);
  const budget = reasoningBudget(reasoning);
  if (budget === undefined || inUnsignedToolRound(options.prompt)) return undefined;
  if (adaptiveModel.test(model)) {
    const effort = reasoningEffort(reasoning);
    return { thinking: { type: "adaptive" }, effort: effort === "minimal" ? "low" : effort, budget: 0 };
  }
  const bounded = Math.max(MIN_BUDGET, budget);
  return { thinking: { type: "enabled", budget_tokens: bounded }, effort: undefined, budget: bounded };
}

function inUnsignedToolRound(prompt: LanguageModelV3Prompt): boolean {
  if (prompt.at(-1)?.role !== "tool") return false;
  const assistant = prompt.findLast((message) => message.role === "assistant");
  return !assistant?.content.some(
    (part) =>
      part.type === "reasoning" &&
      (signatureOf(part.providerOptions)?.provider === "anthropic" ||
        redactedDataOf(part.providerOptions) !== undefined),
  );
}
