import { countingIn, hasBudget, type Principal, underBudgetsAlone } from "../../contract/principal.ts";
import type { Usage } from "../../contract/usage.ts";
import type { ConfigSource } from "../../platform/config/gateway-config.ts";
import type { LateCalls } from "../../platform/metrics/metrics.ts";
import { sha256 } from "../../util/sha256.ts";
import { tagsOf } from "../ledger/journaled-ledger.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { SpendStore } from "../ledger/spend-store.ts";
import type { SpendRow } from "../ledger/spend-tables.ts";
import type { Limiter, Reservation } from "../limits/limiter.ts";
import { budgetsAt } from "./budgets-at-origin.ts";
import type { Origin } from "./ownership.ts";

export interface LateSpendDeps {
  readonly config: Pick<ConfigSource, "current">;
  readonly spend: SpendStore;
  readonly ledger: Ledger;
  readonly limiter: Limiter;
  /** Counts it in the metrics, where there are any. */
  readonly meter: ((calls: LateCalls) => void) | undefined;
  /**
   * A key as it is now.
   * @throws GatewayError 401 when it is blocked, expired or deleted
   */
  readonly recallPrincipal: (remembered: Principal) => Promise<Principal>;
}

/** What something at a provider cost that was begun long before it was known. */
export interface LateSpend {
  /** The object's id; with the call type it names the row. */
  readonly requestId: string;
  readonly callType: string;
  readonly principal: Principal;
  readonly origin: Origin;
  readonly model: string | undefined;
  readonly status: "success" | "failure";
  readonly startedAt: number;
  readonly usage: Usage;
  /** US dollars. */
  readonly cost: number;
  /** Requests that were no calls of the gateway's own, by how they ended; those of a batch. */
  readonly requests?: { readonly completed: number; readonly failed: number };
}

/** Writes the row of the spend log, unless it is there already, and counts the cost in the key's budget. */
export async function insertLateSpend(deps: LateSpendDeps, late: LateSpend): Promise<void> {
  const { requestId, callType, origin, usage, cost } = late;
  // A process that ended may have recorded it on this machine.
  await deps.ledger.flush();
  if ((await deps.spend.page({ requestId }, 0, 10)).some((row) => row.call_type === callType)) return;
  const recalled = await deps.recallPrincipal(late.principal).catch(() => late.principal);
  const principal = await spenderOf(deps, recalled, late);
  const budgets = budgetsAt(origin, deps.config);
  const charges = [
    await chargeLimits(deps, principal, cost),
    // By itself: where the key's budget is exhausted the deployment's must learn of the cost all the same.
    await chargeLimits(deps, ofBudgetsAlone(principal, budgets), cost),
  ];
  const endedAt = Date.now();
  const row: SpendRow = {
    id: `late-${sha256(`${callType} ${requestId}`)}`,
    request_id: requestId,
    key_hash: principal.keyHash,
    user_id: principal.userId ?? null,
    team_id: principal.teamId ?? null,
    model: late.model ?? null,
    model_id: origin.deployment?.id ?? null,
    provider: origin.provider,
    call_type: callType,
    status: late.status,
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    cache_read_tokens: usage.cacheRead,
    cache_write_tokens: usage.cacheWrite,
    spend: cost,
    started_at: late.startedAt,
    ended_at: endedAt,
    organization_id: principal.organizationId ?? null,
    end_user: principal.named?.customer ?? null,
    tags: tagsOf(principal.named?.tags ?? principal.metadata.tags),
    session_id: null,
  };
  deps.ledger.record(row, countingIn(principal, budgets));
  await deps.ledger.durable();
  for (const charge of charges) charge?.settle(usage, cost);
  // Whoever ends what this is the cost of gives its share of the budget back: the cost has to be counted by then.
  await deps.ledger.flush();
  const { completed = 0, failed = 0 } = late.requests ?? {};
  deps.meter?.({ deployment: origin.deployment, caller: principal, usage, cost, completed, failed });
}

/**
 * The key with its limits for some models that the cost counts in: by the model's names, and those that something was held
 * of when it began, by whatever name that was.
 */
async function spenderOf(
  { limiter }: LateSpendDeps,
  principal: Principal,
  { requestId, callType, model, origin: { deployment } }: LateSpend,
): Promise<Principal> {
  const { modelScopes } = principal;
  if (modelScopes === undefined) return principal;
  const names = [model, deployment?.modelName, deployment?.id].filter((name) => name !== undefined);
  const named = limiter.underModels(principal, names);
  const kept = await limiter.keptOf({ requestId, callType });
  const further = modelScopes
    .map(({ scope }) => scope)
    .filter(({ owner }) => kept.has(owner) && named.scopes?.some((scope) => scope.owner === owner) !== true);
  return further.length === 0 ? named : { ...named, scopes: [...(named.scopes ?? []), ...further] };
}

/** Somebody who stands under these budgets and has no limits of its own. */
function ofBudgetsAlone(principal: Principal, budgets: Principal["scopes"] = []): Principal {
  const { modelScopes: _, ...rest } = principal;
  return { ...rest, limits: {}, scopes: budgets };
}

/**
 * Running counters of the key's budget learn of the cost too; an exhausted one has learned enough. They must begin
 * before the row is written, because they begin with what the log says.
 */
async function chargeLimits(
  deps: LateSpendDeps,
  principal: Principal,
  cost: number,
): Promise<Reservation | undefined> {
  if (!hasBudget(principal) || cost === 0) return undefined;
  const request = {
    principal: underBudgetsAlone(principal),
    model: "",
    estimatedTokens: 0,
    estimatedCost: 0,
  };
  try {
    return await deps.limiter.reserve(request);
  } catch {
    return undefined;
  }
}
