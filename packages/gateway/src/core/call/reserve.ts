import type { Deployment, Target } from "../../contract/deployment.ts";
import { GatewayError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { hasBudget, underBudgetsAlone } from "../../contract/principal.ts";
import { noUsage, type Usage } from "../../contract/usage.ts";
import { isCallAborted } from "../../platform/transport/failures.ts";
import type { Reservation, ReservationRequest } from "../limits/limiter.ts";
import { DeploymentFull } from "../routing/route-call.ts";
import type { PreparedCall } from "./prepare-call.ts";
import { maxTokensOf, requestChanges } from "./request-changes.ts";
import { CHARACTERS_PER_TOKEN } from "./settlement.ts";
import { type PricedRequest, unpriced, worstCaseAt, worstCaseCost } from "./worst-case.ts";

/** Bytes beyond which a body is mostly pictures and files, whose size says nothing of their tokens. */
const MAX_COUNTED_BYTES = 1_000_000;

/** What a call will use at most, as far as a quick look tells; for reservations, not for bills. */
function expectedUsage({ call, data, raw }: PreparedCall): Usage {
  const bytes = raw?.length ?? JSON.stringify(data).length;
  return {
    ...noUsage,
    input: Math.ceil(Math.min(bytes, MAX_COUNTED_BYTES) / CHARACTERS_PER_TOKEN),
    output: maxTokensOf(call.format, data) ?? 0,
  };
}

/**
 * Takes the call's share of its key's limits and budget.
 * @param targets the deployments that may answer
 * @param fallbacks those that may answer when none of them does
 * @throws GatewayError 429, 402
 */
export function reserveForCall(
  prepared: PreparedCall,
  targets: readonly Target[],
  fallbacks: () => readonly Target[],
): Reservation | Promise<Reservation> {
  return prepared.deps.limiter.reserve(requestOf(prepared, targets, fallbacks));
}

function requestOf(
  prepared: PreparedCall,
  targets: readonly Target[],
  fallbacks: () => readonly Target[],
): ReservationRequest {
  const { call, model } = prepared;
  const expected = expectedUsage(prepared);
  return {
    principal: call.principal,
    family: call.family,
    model,
    names: [...namesOf(prepared), ...targets.map(({ deployment }) => deployment.modelName)],
    estimatedTokens: expected.input + expected.output,
    estimatedCost: hasBudget(call.principal)
      ? worstCaseCost(pricedRequest(prepared), targets, fallbacks())
      : 0,
    signal: prepared.signal,
  };
}

/**
 * Takes shares of budgets for a further attempt of a call whose earlier one goes on without it.
 * @throws GatewayError 402, 429
 */
export function reserveForFurther(
  prepared: PreparedCall,
  targets: readonly Target[],
  fallbacks: () => readonly Target[],
): Reservation | Promise<Reservation> {
  const { deps, call } = prepared;
  const { family: _, ...request } = requestOf(prepared, targets, fallbacks);
  return deps.limiter.reserve({ ...request, principal: underBudgetsAlone(call.principal) });
}

/**
 * Takes the share of a call that is answered from the cache: it counts as a request and costs nothing.
 * @throws GatewayError 429, 402
 */
export function reserveForCached({
  deps,
  call,
  model,
  signal,
}: PreparedCall): Reservation | Promise<Reservation> {
  const { principal, family } = call;
  return deps.limiter.reserve({ principal, family, model, estimatedTokens: 0, estimatedCost: 0, signal });
}

/** Models that the caller names itself, beside the one that answers: nobody gets to another one past its limits. */
function namesOf({ call, steering }: PreparedCall): readonly string[] {
  if (call.principal.modelScopes === undefined) return [];
  const { model } = call.body;
  return [...(typeof model === "string" ? [model] : []), ...(steering.fallbacks ?? [])];
}

/** Whether a provider gets the caller's format is known only when it is called. */
function pricedRequest(prepared: PreparedCall): PricedRequest {
  const { call, data, raw, mockedText } = prepared;
  const formsAt = (target: Target): JsonObject[] =>
    [true, false].map((isNative) => ({
      ...data,
      ...Object.fromEntries(requestChanges({ prepared, target }, isNative)),
    }));
  const bytes = raw?.length ?? Buffer.byteLength(JSON.stringify(data));
  return { format: call.format, formsAt, bytes, isMocked: mockedText !== undefined };
}

/**
 * Takes the call's share of a deployment's own limits and of the budgets that it stands under.
 * @param failsOver another deployment could take over
 * @throws DeploymentFull
 */
export async function reserveForDeployment(
  prepared: PreparedCall,
  target: Target,
  failsOver: boolean,
): Promise<Reservation> {
  const { deps, call, model, signal } = prepared;
  const { deployment } = target;
  const { input, output } = expectedUsage(prepared);
  try {
    return await deps.limiter.reserve({
      principal: call.principal,
      deployment,
      model,
      estimatedTokens: input + output,
      estimatedCost: costAtDeployment(prepared, target),
      isElsewhere: failsOver,
      signal,
    });
  } catch (thrown) {
    if (!(thrown instanceof GatewayError) || isCallAborted(thrown)) throw thrown;
    const { status, type, message, retryAfter, headers, retryable } = thrown;
    throw new DeploymentFull(status, type, message, {
      headers,
      retryable,
      ...(retryAfter === undefined ? {} : { retryAfter }),
    });
  }
}

/** US dollars at most; asked for only where a budget needs them. */
function costAtDeployment(prepared: PreparedCall, target: Target): number {
  const { budgets, modelName } = target.deployment;
  if (budgets === undefined) return 0;
  const cost = worstCaseAt(pricedRequest(prepared), target);
  // A fallback may have a price.
  if (cost === undefined) throw unpriced(modelName, budgets[0]!.name, true);
  return cost;
}

/** Whether a deployment has limits of its own, or stands under a budget. */
export function isLimited({ rpm, tpm, maxParallelRequests, budgets }: Deployment): boolean {
  return (rpm ?? tpm ?? maxParallelRequests ?? budgets) !== undefined;
}
