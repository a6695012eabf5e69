import type { Gauge, Registry } from "prom-client";
import type { Caller } from "./labels.ts";

/** A budget as it is at the moment. */
export interface ObservedBudget {
  /** As refusals name it: `the team ID`; of a provider's its own name. */
  readonly name: string;
  /** Whose budget it is by LiteLLM's metrics; `other` for organizations, members, customers, tags, single models and deployments. */
  readonly kind: "api_key" | "team" | "user" | "provider" | "other";
  /** One of those whose calls count in it. */
  readonly caller: Caller;
  /** US dollars. */
  readonly budget: number;
  readonly spent: number;
  /** Milliseconds since the epoch; absent for a budget without windows. */
  readonly resetsAt: number | undefined;
}

const HOUR = 3_600_000;

/** Labels by the kind of a budget, as LiteLLM has them. */
const kinds = {
  api_key: {
    labelNames: ["hashed_api_key", "api_key_alias"],
    labels: ({ caller }: ObservedBudget) => ({
      hashed_api_key: caller.keyHash,
      api_key_alias: caller.keyAlias ?? "",
    }),
  },
  team: { labelNames: ["team"], labels: ({ caller }: ObservedBudget) => ({ team: caller.teamId ?? "" }) },
  user: { labelNames: ["user"], labels: ({ caller }: ObservedBudget) => ({ user: caller.userId ?? "" }) },
  provider: {
    labelNames: ["api_provider"],
    labels: ({ name }: ObservedBudget) => ({ api_provider: name }),
  },
  other: { labelNames: ["budget"], labels: ({ name }: ObservedBudget) => ({ budget: name }) },
} as const;

/** What is told of a budget: LiteLLM's name with the kind in it, and how workers' figures come together. */
const figures = [
  [
    "remaining_KIND_budget_metric",
    "US dollars left of a budget",
    "min",
    ({ budget, spent }: ObservedBudget) => Math.max(0, budget - spent),
  ],
  ["KIND_max_budget_metric", "US dollars of a budget", "max", ({ budget }: ObservedBudget) => budget],
  [
    "KIND_budget_remaining_hours_metric",
    "Hours until a budget begins anew",
    "min",
    ({ resetsAt }: ObservedBudget) => (resetsAt === undefined ? undefined : (resetsAt - Date.now()) / HOUR),
  ],
] as const;

/** LiteLLM's names that have the kind elsewhere. */
const NAMES: Readonly<Record<string, string>> = {
  "provider remaining_KIND_budget_metric": "KIND_remaining_budget_metric",
};

/** Adds gauges of the budgets in which calls have counted of late. */
export function addBudgetGauges(
  GaugeOf: typeof Gauge,
  registers: Registry[],
  budgets: () => Promise<readonly ObservedBudget[]>,
): void {
  // The gauges of one look at the metrics share what was read for it.
  let reading: Promise<readonly ObservedBudget[]> | undefined;
  const read = (): Promise<readonly ObservedBudget[]> => {
    reading ??= budgets().finally(() => {
      setImmediate(() => {
        reading = undefined;
      });
    });
    return reading;
  };
  for (const [kind, { labelNames, labels }] of Object.entries(kinds)) {
    for (const [pattern, help, aggregator, figure] of figures) {
      const name = (NAMES[`${kind} ${pattern}`] ?? pattern).replace("KIND", kind);
      new GaugeOf({
        name: kind === "other" ? `portico_${name}` : `litellm_${name}`,
        help,
        labelNames: [...labelNames],
        registers,
        aggregator,
        async collect() {
          const all = await read();
          this.reset();
          for (const each of all) {
            const value = each.kind === kind ? figure(each) : undefined;
            if (value !== undefined) this.set(labels(each), value);
          }
        },
      });
    }
  }
}
