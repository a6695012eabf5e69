import { setTimeout as wait } from "node:timers/promises";
import { GatewayError } from "../../contract/errors.ts";
import { callAborted } from "../../platform/transport/failures.ts";
import { type CallSignal, toAbortSignal } from "../../util/light-signal.ts";
import { mayCallModel } from "../auth/permissions.ts";
import { failureKind, fallbackModels } from "../routing/fallbacks.ts";
import { type Plan, planAttempts } from "../routing/plan.ts";
import { resolveModel, type Target } from "../routing/resolve-model.ts";
import { retryWait } from "../routing/retry.ts";
import { policyRetries } from "../routing/retry-policy.ts";
import type { StrategyContext } from "../routing/strategies/strategy.ts";
import { type AttemptResult, attempt, DeploymentFull } from "./attempt.ts";
import { callTags } from "./call-tags.ts";
import { mockedFailure } from "./mock-wish.ts";
import type { CallDeps } from "./model-call.ts";
import type { PreparedCall } from "./prepared-call.ts";

/** A thousand tokens each way, for comparing prices. */
const comparedUsage = { input: 1000, output: 1000, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

/** The plan of a prepared call's model, or of a fallback's. */
export function planFor(deps: CallDeps, prepared: PreparedCall, model: string): Plan {
  const { call, config } = prepared;
  const context: StrategyContext = {
    health: deps.health,
    random: deps.random ?? Math.random,
    price: (target) => deps.costOf(target.deployment, target.model, comparedUsage),
  };
  const region = call.principal.allowedModelRegion ?? prepared.steering.region;
  const tags = callTags(prepared);
  return preferring(call.tailor?.prefers, planAttempts({ model, region, tags }, config, context));
}

/** The plan with this deployment's attempt before the others. */
function preferring(id: string | undefined, plan: Plan): Plan {
  const preferred = plan.attempts.find(({ deployment }) => deployment.id === id);
  if (preferred === undefined) return plan;
  return { ...plan, attempts: [preferred, ...plan.attempts.filter((target) => target !== preferred)] };
}

/**
 * Tries the plan's deployments, and then those of the fallbacks, until one answers. Nothing has reached the caller
 * until this resolves.
 * @throws GatewayError the first model's failure when no fallback answers either, because that is the one asked for
 */
export async function runAttempts(
  deps: CallDeps,
  prepared: PreparedCall,
  plan: Plan,
  signal: CallSignal,
): Promise<AttemptResult> {
  let failure: GatewayError;
  try {
    const mocked = mockedFailure(prepared.data);
    if (mocked !== undefined) throw mocked;
    return await tryModel(deps, prepared, plan, signal);
  } catch (thrown) {
    failure = asGatewayError(thrown);
  }
  for (const model of fallbacksOf(prepared, plan, failure)) {
    if (signal.aborted) break;
    const fallback = planFallback(deps, prepared, model);
    if (fallback === undefined) continue;
    prepared.call.call.attemptedFallbacks += 1;
    try {
      return await tryModel(deps, prepared, fallback, signal);
    } catch (thrown) {
      asGatewayError(thrown);
    }
  }
  throw failure;
}

/** The caller's own fallbacks, as far as the key may call them, else the configuration's. */
function fallbacksOf(prepared: PreparedCall, plan: Plan, failure: GatewayError): readonly string[] {
  const { config, steering, call } = prepared;
  const kind = failureKind(failure);
  const names = [prepared.model, plan.resolution.group];
  if (steering.fallbacks === undefined) return fallbackModels(names, kind, config);
  if (kind === "caller") return [];
  const allowed = steering.fallbacks.filter((model) => mayCallModel(call.principal, model));
  return allowed.slice(0, config.routerSettings.maxFallbacks);
}

/** A fallback that the configuration or the key's region does not allow is passed over. */
function planFallback(deps: CallDeps, prepared: PreparedCall, model: string): Plan | undefined {
  try {
    resolveModel(model, prepared.config);
    return planFor(deps, prepared, model);
  } catch (thrown) {
    asGatewayError(thrown);
    return undefined;
  }
}

async function tryModel(
  deps: CallDeps,
  prepared: PreparedCall,
  plan: Plan,
  signal: CallSignal,
): Promise<AttemptResult> {
  const candidates = [...plan.attempts];
  let failure: GatewayError | undefined;
  for (let tried = 0, next = 0; candidates.length > 0; ) {
    const index = next % candidates.length;
    const target = candidates[index]!;
    try {
      return await attempt(deps, prepared, target, signal);
    } catch (thrown) {
      failure = asGatewayError(thrown);
    }
    if (signal.aborted) throw callAborted(failure);
    const full = failure instanceof DeploymentFull;
    if (!full) tried += 1;
    const names = [prepared.model, plan.resolution.group];
    const byPolicy = policyRetries(failure, names, prepared.config.routerSettings);
    const mayHelp = byPolicy !== undefined || failureKind(failure) === "general";
    if (!full && (tried > retriesOf(prepared, target, byPolicy) || !mayHelp)) break;
    const sameMayHelp = !full && (failure.retryable || byPolicy !== undefined);
    if (sameMayHelp) next = index + 1;
    else candidates.splice(index, 1);
    if (candidates.length === 0) break;
    if (!full) prepared.call.call.attemptedRetries += 1;
    const roundOver = sameMayHelp && next >= candidates.length;
    if (roundOver && !(await pause(deps, prepared, failure, tried, signal))) break;
  }
  throw failure ?? allRest(prepared, plan);
}

/** The caller's wish, else the policy's number, the deployment's, the router's. */
function retriesOf(
  { steering, config }: PreparedCall,
  { deployment }: Target,
  byPolicy: number | undefined,
): number {
  const own = deployment.params.max_retries;
  const usual = typeof own === "number" ? own : config.routerSettings.numRetries;
  return steering.numRetries ?? byPolicy ?? usual;
}

/** Waits before the deployments are tried once more. @returns false when waiting makes no sense */
async function pause(
  deps: CallDeps,
  prepared: PreparedCall,
  failure: GatewayError,
  tried: number,
  signal: CallSignal,
): Promise<boolean> {
  const least = prepared.config.routerSettings.retryAfter;
  const seconds = retryWait(failure, tried, least, deps.random ?? Math.random);
  if (seconds === undefined) return false;
  const { call } = prepared.call;
  await wait(seconds * 1000, undefined, { signal: toAbortSignal(signal) }).catch(() => undefined);
  call.upstreamMs += seconds * 1000;
  if (signal.aborted) throw callAborted(failure);
  return true;
}

function allRest(prepared: PreparedCall, plan: Plan): GatewayError {
  const seconds = Math.ceil(plan.restsForMs / 1000);
  return new GatewayError(
    429,
    "rate_limit_error",
    `No deployments available for ${prepared.model}: all of them rest after failures. Try again in ${seconds} seconds.`,
    { retryAfter: seconds },
  );
}

function asGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  throw thrown;
}
