import type { Target } from "../../../contract/deployment.ts";
import { ascending, type StrategyContext } from "./strategy.ts";

/** The cheapest first; deployments without a known price last. */
export function costBased(targets: readonly Target[], { price, random }: StrategyContext): Target[] {
  return ascending(targets, random, (target) => price(target) ?? Number.POSITIVE_INFINITY);
}
