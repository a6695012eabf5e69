import { newCallRecord } from "../../contract/call-record.ts";
import type { Usage } from "../../contract/usage.ts";
import type { SpentAs } from "../../core/limits/budgets.ts";
import type { Origin } from "../../core/objects/ownership.ts";
import type { ResourceContext } from "../../core/objects/resource-client.ts";
import { directDeployment, modelAtProvider } from "../../core/routing/direct-deployment.ts";
import type { Store } from "../../platform/store/schema.ts";
import type { BatchDeps } from "./batch-deps.ts";

/** The call type of the row of the spend log that says what a batch at a provider cost. */
export const BATCH_COST = "abatch_cost";

/** The row that ends what is held of a key's budget for a batch, or for the submission of one that has no id yet. */
export function batchCost(requestId: string): SpentAs {
  return { requestId, callType: BATCH_COST };
}

/** Gives back what is held of a key's budget for a batch that a provider does not run, or not any more. */
export function forgetHold(
  { limiter }: Pick<BatchDeps, "limiter">,
  batchId: string,
  within?: Store["db"],
): Promise<void> {
  return limiter.forget(batchCost(batchId), within);
}

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

/** The context of a request that the gateway makes on its own, for no caller who waits. */
export function internalContext(callType: string, signal: AbortSignal): ResourceContext {
  return { signal, call: newCallRecord(callType) };
}
