import type { Usage } from "../contract/usage.ts";
import type { Origin } from "../ids/ownership.ts";
import { directDeployment } from "../routing/direct-deployment.ts";
import type { BatchDeps } from "./batch-deps.ts";

/** OpenAI, Azure, Anthropic and Google all ask half of the usual price for batches. */
const batchDiscount = 0.5;

/** US dollars for tokens that a provider's batch used; 0 where no price is known. */
export function costOfUsage(deps: BatchDeps, origin: Origin, model: string, usage: Usage): number {
  const deployment = origin.deployment ?? directDeployment(`${origin.provider}/${model}`);
  const name = origin.deployment?.model.includes("*") === false ? origin.deployment.model : model;
  return (deps.calls.costOf(deployment, name, usage) ?? 0) * batchDiscount;
}
