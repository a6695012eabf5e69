import type { Exchange } from "../../../contract/exchange.ts";
import { countingIn, hasBudget, underBudgetsAlone } from "../../../contract/principal.ts";
import { rowAt } from "../../../core/call/batch-row.ts";
import { worstCaseCost } from "../../../core/call/worst-case.ts";
import type { Reservation } from "../../../core/limits/limiter.ts";
import { budgetsAt } from "../../../core/objects/budgets-at-origin.ts";
import type { Origin } from "../../../core/objects/ownership.ts";
import { directDeployment } from "../../../core/routing/direct-deployment.ts";
import { batchRows } from "../../files/batch-input.ts";
import type { BatchRouteDeps } from "../batch-deps.ts";
import { runnableEndpoints } from "../create-request.ts";

/** A batch whose rows a provider runs. */
interface PricedBatch {
  readonly origin: Origin;
  /** The model's name there, where it does not stand in the rows. */
  readonly model: string | undefined;
  readonly content: () => Promise<AsyncIterable<Buffer>>;
}

/** A batch's share of the budgets of its key and its deployment. */
export interface HeldBatch {
  readonly reservation: Reservation;
  /** US dollars that the batch costs at most. */
  readonly cost: number;
}

/**
 * Holds the worst case of all rows, which a provider runs without asking again.
 * @returns nothing where neither the key nor the deployment has a budget
 * @throws GatewayError 402 where the rows cost more than is left, or have no price
 */
export async function holdBatchBudget(
  deps: Pick<BatchRouteDeps, "limiter" | "config">,
  { principal, signal }: Exchange,
  batch: PricedBatch,
): Promise<HeldBatch | undefined> {
  const budgets = budgetsAt(batch.origin, deps.config);
  if (!hasBudget(principal) && budgets === undefined) return undefined;
  let cost = 0;
  const names = new Set<string>();
  for await (const { row, line } of batchRows(await batch.content())) {
    const { url, body } = row;
    const model = batch.model ?? String(body.model ?? "");
    const deployment = batch.origin.deployment ?? directDeployment(`${batch.origin.provider}/${model}`);
    names.add(model).add(deployment.modelName);
    const format = runnableEndpoints.get(url) ?? "chat";
    // A row that names its model itself goes out as it is.
    const forms =
      batch.model === undefined
        ? [body]
        : [true, false].map((isNative) =>
            rowAt(body, format, { deployment, model }, deps.config.current, isNative),
          );
    const request = {
      format,
      formsAt: () => forms,
      bytes: line.bytes.length,
      isBatched: true,
    };
    cost += worstCaseCost(request, [{ deployment, model }]);
  }
  // The other limits have counted the request itself.
  const reservation = await deps.limiter.reserve({
    principal: countingIn(underBudgetsAlone(principal), budgets),
    model: "",
    names: [...names],
    estimatedTokens: 0,
    estimatedCost: cost,
    mustFit: true,
    signal,
  });
  return { reservation, cost };
}
