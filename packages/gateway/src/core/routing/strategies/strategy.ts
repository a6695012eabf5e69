import type { Target } from "../../../contract/deployment.ts";
import type { HealthView } from "../health.ts";

/** What a strategy may look at. */
export interface StrategyContext {
  readonly health: HealthView;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** US dollars of a thousand input and a thousand output tokens; absent when the price is unknown. */
  readonly price: (target: Target) => number | undefined;
}

/** Orders the deployments of one model; the first is tried first. Never drops one. */
export type Strategy = (targets: readonly Target[], context: StrategyContext) => Target[];

/** The targets in an order drawn by lot. */
export function shuffled(targets: readonly Target[], random: () => number): Target[] {
  const order = [...targets];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}

/** Ascending by a figure; equals in an order drawn by lot, so that no deployment is always preferred. */
export function ascending(
  targets: readonly Target[],
  random: () => number,
  figure: (target: Target) => number,
): Target[] {
  return shuffled(targets, random)
    .map((target) => ({ target, value: figure(target) }))
    .sort((a, b) => (a.value === b.value ? 0 : a.value - b.value))
    .map(({ target }) => target);
}
