import type { Usage } from "../../contract/usage.ts";
import type { Origin } from "../../core/objects/ownership.ts";
import { directDeployment } from "../../core/routing/direct-deployment.ts";
import { modelAtProvider } from "../../core/routing/model-at-provider.ts";
import type { BatchDeps } from "./batch-deps.ts";

/**
 * US dollars for tokens that a provider's batch used; 0 where no price is known.
 * @param longestInput input tokens of its longest row, where the usage is that of several
 */
export function costOfUsage(
  deps: BatchDeps,
  origin: Origin,
  model: string,
  usage: Usage,
  longestInput = usage.input,
): number {
  const deployment = origin.deployment ?? directDeployment(`${origin.provider}/${model}`);
  const name = modelAtProvider(origin.deployment, model);
  return deps.calls.costOf(deployment, name, { ...usage, serviceTier: "batch" }, { longestInput }) ?? 0;
}
