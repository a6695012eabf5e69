import type { Principal } from "../contract/principal.ts";
import type { Usage } from "../contract/usage.ts";
import type { Origin } from "../ids/ownership.ts";
import { budgetWindow } from "../ledger/budget-window.ts";
import type { Reservation } from "../limits/limiter.ts";
import { directDeployment } from "../routing/direct-deployment.ts";
import { sha256 } from "../util/sha256.ts";
import type { BatchDeps } from "./batch-deps.ts";

/** OpenAI, Azure, Anthropic and Google all ask half of the usual price for batches. */
const batchDiscount = 0.5;

/** US dollars for tokens that a provider's batch used; 0 where no price is known. */
export function costOfUsage(deps: BatchDeps, origin: Origin, model: string, usage: Usage): number {
  const deployment = origin.deployment ?? directDeployment(`${origin.provider}/${model}`);
  const name = origin.deployment?.model.includes("*") === false ? origin.deployment.model : model;
  return (deps.calls.costOf(deployment, name, usage) ?? 0) * batchDiscount;
}

/** What a batch at a provider cost. */
export interface BatchSpend {
  readonly batchId: string;
  readonly principal: Principal;
  readonly origin: Origin;
  readonly model: string | undefined;
  readonly status: "success" | "failure";
  readonly startedAt: number;
  readonly usage: Usage;
  readonly cost: number;
}

/** Writes the batch's row of the spend log, unless it is there already, and counts its cost in the key's budget. */
export async function insertBatchSpend(deps: BatchDeps, spend: BatchSpend): Promise<void> {
  const { batchId, origin, usage, cost } = spend;
  if ((await deps.spend.page({ requestId: batchId }, 0, 10)).some((row) => row.call_type === callType))
    return;
  const principal = await deps.recallPrincipal(spend.principal).catch(() => spend.principal);
  const charge = await chargeLimits(deps, principal, cost);
  const endedAt = Date.now();
  const window = budgetWindow(principal.limits, endedAt);
  await deps.spend.append(
    [
      {
        id: `batch-${sha256(batchId)}`,
        request_id: batchId,
        key_hash: principal.keyHash,
        user_id: principal.userId ?? null,
        team_id: principal.teamId ?? null,
        model: spend.model ?? null,
        model_id: origin.deployment?.id ?? null,
        provider: origin.provider,
        call_type: callType,
        status: spend.status,
        prompt_tokens: usage.input,
        completion_tokens: usage.output,
        cache_read_tokens: usage.cacheRead,
        cache_write_tokens: usage.cacheWrite,
        spend: cost,
        started_at: spend.startedAt,
        ended_at: endedAt,
      },
    ],
    window === undefined || cost === 0
      ? []
      : [{ key_hash: principal.keyHash, window_start: window.start, spend: cost }],
  );
  charge?.settle(usage, cost);
}

const callType = "abatch_cost";

/**
 * Running counters of the key's budget learn of the cost too; an exhausted one has learned enough. They must begin
 * before the row is written, because they begin with what the log says.
 */
async function chargeLimits(
  deps: BatchDeps,
  principal: Principal,
  cost: number,
): Promise<Reservation | undefined> {
  const { maxBudget, budgetDuration } = principal.limits;
  if (maxBudget === undefined || cost === 0) return undefined;
  const limits = { maxBudget, ...(budgetDuration === undefined ? {} : { budgetDuration }) };
  const request = { principal: { ...principal, limits }, model: "", estimatedTokens: 0, estimatedCost: 0 };
  return deps.limiter.reserve(request).catch(() => undefined);
}
