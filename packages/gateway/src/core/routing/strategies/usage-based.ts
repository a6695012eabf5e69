import type { Target } from "../../../contract/deployment.ts";
import { ascending, type StrategyContext } from "./strategy.ts";

/**
 * The deployment that has used the least of its share of this minute first: tokens of `tpm` or requests of `rpm`,
 * whichever is nearer to its limit; without limits, the fewest tokens.
 */
export function usageBased(targets: readonly Target[], { health, random }: StrategyContext): Target[] {
  const limited = targets.some(
    ({ deployment }) => deployment.tpm !== undefined || deployment.rpm !== undefined,
  );
  return ascending(targets, random, ({ deployment }) => {
    const { tokens, requests } = health.state(deployment.id);
    if (!limited) return tokens;
    return Math.max(share(tokens, deployment.tpm), share(requests, deployment.rpm));
  });
}

function share(used: number, limit: number | undefined): number {
  if (limit === undefined) return 0;
  return limit === 0 ? Number.POSITIVE_INFINITY : used / limit;
}
