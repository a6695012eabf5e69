import type { Target } from "../../../contract/deployment.ts";
import { ascending, type StrategyContext } from "./strategy.ts";

/** The deployment with the fewest calls running first. */
export function leastBusy(targets: readonly Target[], { health, random }: StrategyContext): Target[] {
  return ascending(targets, random, ({ deployment }) => health.state(deployment.id).inFlight);
}
