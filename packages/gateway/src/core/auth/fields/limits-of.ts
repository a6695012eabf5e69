import type { KeyLimits } from "../../../contract/principal.ts";

const LIMITS = {
  rpm_limit: "rpm",
  tpm_limit: "tpm",
  max_parallel_requests: "maxParallelRequests",
  max_budget: "maxBudget",
  soft_budget: "softBudget",
  budget_duration: "budgetDuration",
  max_rollover: "maxRollover",
} as const satisfies Readonly<Record<string, keyof KeyLimits>>;

type LimitName = keyof typeof LIMITS;

/** LiteLLM's names of the limits. */
export const LIMIT_NAMES = Object.keys(LIMITS) as readonly LimitName[];

/** Settings that limit calls, by LiteLLM's names. */
export type LimitSettings = { readonly [Name in LimitName]?: number | string | null | undefined } & {
  readonly temp_budget_increase?: number | null | undefined;
  readonly temp_budget_expiry?: string | null | undefined;
};

/** Limits as calls are held to them. */
export function limitsOf(settings: LimitSettings = {}): KeyLimits {
  const limits: Record<string, unknown> = {};
  for (const [name, limit] of Object.entries(LIMITS)) {
    const value = settings[name as LimitName];
    if (value != null) limits[limit] = value;
  }
  const { temp_budget_increase: amount, temp_budget_expiry: expiry } = settings;
  if (amount != null && expiry != null) limits.budgetIncrease = { amount, until: Date.parse(expiry) };
  return limits;
}
