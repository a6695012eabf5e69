import type { ReasoningOption } from "./provider-options.ts";

/** Tokens that an effort stands for where a provider wants a budget; LiteLLM's figures for low, medium, high. */
const budgets: ReadonlyMap<string, number> = new Map([
  ["minimal", 1024],
  ["low", 1024],
  ["medium", 2048],
  ["high", 4096],
  ["xhigh", 8192],
  ["max", 16_384],
]);
const DEFAULT_BUDGET = 2048;

/** The token budget of a reasoning option; `undefined` when it is off or not asked for. */
export function reasoningBudget(option: ReasoningOption | undefined): number | undefined {
  if (option === undefined || option.disabled === true) return undefined;
  if (option.budgetTokens !== undefined) return option.budgetTokens;
  return option.effort === undefined ? undefined : (budgets.get(option.effort) ?? DEFAULT_BUDGET);
}

/** The effort of a reasoning option; `undefined` when it is off or not asked for. */
export function reasoningEffort(option: ReasoningOption | undefined): string | undefined {
  if (option === undefined || option.disabled === true) return undefined;
  if (option.effort !== undefined) return option.effort;
  if (option.budgetTokens === undefined) return undefined;
  if (option.budgetTokens <= 1024) return "low";
  return option.budgetTokens <= 4096 ? "medium" : "high";
}
