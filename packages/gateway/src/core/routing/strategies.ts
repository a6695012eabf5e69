import type { Deployment, Target } from "../../contract/deployment.ts";
import type { RouterSettings } from "../../platform/config/gateway-config.ts";
import type { HealthView } from "./health.ts";

/** What a strategy may look at. */
export interface StrategyContext {
  readonly health: HealthView;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** US dollars of a thousand input and a thousand output tokens; absent when the price is unknown. */
  readonly price: (target: Target) => number | undefined;
}

/** Orders the deployments of one model; the first is tried first. Never drops one. */
type Strategy = (targets: readonly Target[], context: StrategyContext) => Target[];

/** The strategies by their names in `router_settings.routing_strategy`. */
export const strategies: Readonly<Record<RouterSettings["routingStrategy"], Strategy>> = {
  "simple-shuffle": simpleShuffle,
  "least-busy": leastBusy,
  "latency-based-routing": latencyBased,
  "usage-based-routing": usageBased,
  "cost-based-routing": costBased,
};

/**
 * Draws by lot, in proportion to `weight` where any deployment has one, else to `rpm`, else to `tpm`; a deployment
 * without the figure the others have counts as the least of them.
 */
function simpleShuffle(targets: readonly Target[], { random }: StrategyContext): Target[] {
  const figure = figures.find((read) => targets.some(({ deployment }) => read(deployment) !== undefined));
  if (figure === undefined) return shuffled(targets, random);
  const known = targets.map(({ deployment }) => figure(deployment)).filter((value) => value !== undefined);
  const least = Math.min(...known);
  const pool = targets.map((target) => ({ target, share: figure(target.deployment) ?? least }));
  const order: Target[] = [];
  while (pool.length > 0) order.push(pool.splice(draw(pool, random), 1)[0]!.target);
  return order;
}

const figures: readonly ((deployment: Deployment) => number | undefined)[] = [
  (deployment) => deployment.weight,
  (deployment) => deployment.rpm,
  (deployment) => deployment.tpm,
];

function draw(pool: readonly { readonly share: number }[], random: () => number): number {
  const total = pool.reduce((sum, { share }) => sum + share, 0);
  if (total === 0) return Math.floor(random() * pool.length);
  let left = random() * total;
  for (const [index, { share }] of pool.entries()) {
    left -= share;
    if (left < 0) return index;
  }
  return pool.length - 1;
}

/** The deployment with the fewest calls running first. */
function leastBusy(targets: readonly Target[], { health, random }: StrategyContext): Target[] {
  return ascending(targets, random, ({ deployment }) => health.state(deployment.id).inFlight);
}

/** The quickest first byte first; deployments that nobody has tried yet come before all, so that they get a figure. */
function latencyBased(targets: readonly Target[], { health, random }: StrategyContext): Target[] {
  return ascending(targets, random, ({ deployment }) => health.state(deployment.id).latencyMs ?? 0);
}

/**
 * The deployment that has used the least of its share of this minute first: tokens of `tpm` or requests of `rpm`,
 * whichever is nearer to its limit; without limits, the fewest tokens.
 */
function usageBased(targets: readonly Target[], { health, random }: StrategyContext): Target[] {
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

/** The cheapest first; deployments without a known price last. */
function costBased(targets: readonly Target[], { price, random }: StrategyContext): Target[] {
  return ascending(targets, random, (target) => price(target) ?? Number.POSITIVE_INFINITY);
}

/** The targets in an order drawn by lot. */
function shuffled(targets: readonly Target[], random: () => number): Target[] {
  const order = [...targets];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}

/** Ascending by a figure; equals in an order drawn by lot, so that no deployment is always preferred. */
function ascending(
  targets: readonly Target[],
  random: () => number,
  figure: (target: Target) => number,
): Target[] {
  return shuffled(targets, random)
    .map((target) => ({ target, value: figure(target) }))
    .sort((a, b) => (a.value === b.value ? 0 : a.value - b.value))
    .map(({ target }) => target);
}
