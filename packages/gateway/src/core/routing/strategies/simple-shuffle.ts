import type { Deployment, Target } from "../../../contract/deployment.ts";
import { type StrategyContext, shuffled } from "./strategy.ts";

/**
 * Draws by lot, in proportion to `weight` where any deployment has one, else to `rpm`, else to `tpm`; a deployment
 * without the figure the others have counts as the least of them.
 */
export function simpleShuffle(targets: readonly Target[], { random }: StrategyContext): Target[] {
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
