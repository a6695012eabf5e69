import type { Target } from "../../../contract/deployment.ts";
import { ascending, type StrategyContext } from "./strategy.ts";

/** The quickest first byte first; deployments that nobody has tried yet come before all, so that they get a figure. */
export function latencyBased(targets: readonly Target[], { health, random }: StrategyContext): Target[] {
  return ascending(targets, random, ({ deployment }) => health.state(deployment.id).latencyMs ?? 0);
}
