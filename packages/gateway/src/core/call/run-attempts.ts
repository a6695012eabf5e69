import { setTimeout as wait } from "node:timers/promises";
import { GatewayError } from "../../contract/errors.ts";
import { type JsonObject, objectOf } from "../../contract/json.ts";
import { callAborted } from "../../platform/transport/failures.ts";
import { toAbortSignal } from "../../util/light-signal.ts";
import { mayCallModel } from "../auth/permissions.ts";
import { failureKind, fallbackModels } from "../routing/fallbacks.ts";
import { type Plan, planAttempts } from "../routing/plan.ts";
import { resolveModel } from "../routing/resolve-model.ts";
import { nextTry, retryWait } from "../routing/retry.ts";
import type { StrategyContext } from "../routing/strategies/strategy.ts";
import { tagsOf } from "../routing/tags.ts";
import { type Answered, tryDeployment } from "./attempt.ts";
import type { PreparedCall } from "./prepare-call.ts";
import { DeploymentFull } from "./reserve.ts";

/** A thousand tokens each way, for comparing prices. */
const comparedUsage = { input: 1000, output: 1000, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

/** The plan of a prepared call's model, or of a fallback's. */
export function planFor(prepared: PreparedCall, model: string): Plan {
  const { deps, call, config } = prepared;
  const context: StrategyContext = {
    health: deps.health,
    random: deps.random ?? Math.random,
    price: (target) => deps.costOf(target.deployment, target.model, comparedUsage),
  };
  const region = call.principal.allowedModelRegion ?? prepared.steering.region;
  const plan = planAttempts({ model, region, tags: tagsOfCall(prepared) }, config, context);
  const preferred = plan.attempts.find(({ deployment }) => deployment.id === call.adapter?.prefers);
  if (preferred === undefined) return plan;
  return { ...plan, attempts: [preferred, ...plan.attempts.filter((target) => target !== preferred)] };
}

/**
 * The tags by which a call's deployments are chosen: those of its key (`metadata.tags`), so that nobody can tag
 * themselves into another tier, else those of the request (`metadata.tags`, `tags`, or
 * `x-litellm-tags` with commas).
 */
function tagsOfCall({ call, data, config }: PreparedCall): readonly string[] {
  if (!config.routerSettings.enableTagFiltering) return [];
  const ofKey = tagsOf(call.principal.metadata.tags);
  if (ofKey.length > 0) return ofKey;
  const header = call.headers["x-portico-tags"] ?? call.headers["x-litellm-tags"];
  const named = typeof header === "string" ? header.split(",").map((tag) => tag.trim()) : [];
  return [
    ...tagsOf(objectOf(data.metadata).tags),
    ...tagsOf(data.tags),
    ...named.filter((tag) => tag !== ""),
  ];
}

/**
 * Tries the plan's deployments, and then those of the fallbacks, until one answers. Nothing has reached the caller
 * until this resolves.
 * @throws GatewayError the first model's failure when no fallback answers either, because that is the one asked for
 */
export async function runAttempts(prepared: PreparedCall, plan: Plan): Promise<Answered> {
  let failure: GatewayError;
  try {
    throwMockedFailure(prepared.data);
    return await tryModel(prepared, plan);
  } catch (thrown) {
    failure = asGatewayError(thrown);
  }
  for (const model of fallbacksOf(prepared, plan, failure)) {
    if (prepared.signal.aborted) break;
    const fallback = planFallback(prepared, model);
    if (fallback === undefined) continue;
    prepared.call.record.attemptedFallbacks += 1;
    try {
      return await tryModel(prepared, fallback);
    } catch (thrown) {
      asGatewayError(thrown);
    }
  }
  throw failure;
}

/** Tries the deployments in turn; after a round it waits, and then begins again with those that may still help. */
async function tryModel(prepared: PreparedCall, plan: Plan): Promise<Answered> {
  const { config, steering, signal } = prepared;
  const names = [prepared.model, plan.resolution.group];
  const candidates = [...plan.attempts];
  let failure: GatewayError | undefined;
  for (let position = 0, failures = 0; candidates.length > 0; ) {
    const target = candidates[position]!;
    try {
      return await tryDeployment(prepared, target);
    } catch (thrown) {
      failure = asGatewayError(thrown);
    }
    if (signal.aborted) throw callAborted(failure);
    // No try took place where the deployment had no room.
    const isFull = failure instanceof DeploymentFull;
    if (!isFull) failures += 1;
    const requested = { retries: steering.numRetries, names, deployment: target.deployment };
    const next = isFull ? "elsewhere" : nextTry(failure, failures, requested, config.routerSettings);
    if (next === "stop") break;
    if (next === "again") position += 1;
    else candidates.splice(position, 1);
    if (candidates.length === 0) break;
    if (!isFull) prepared.call.record.attemptedRetries += 1;
    if (position < candidates.length) continue;
    position = 0;
    if (next === "again" && !(await pause(prepared, failure, failures))) break;
  }
  throw failure ?? noneAvailable(prepared, plan);
}

/** Waits before the deployments are tried once more. @returns false when waiting makes no sense */
async function pause(prepared: PreparedCall, failure: GatewayError, failures: number): Promise<boolean> {
  const { deps, config, call, signal } = prepared;
  const random = deps.random ?? Math.random;
  const seconds = retryWait(failure, failures, config.routerSettings.retryAfter, random);
  if (seconds === undefined) return false;
  await wait(seconds * 1000, undefined, { signal: toAbortSignal(signal) }).catch(() => undefined);
  call.record.upstreamMs += seconds * 1000;
  if (signal.aborted) throw callAborted(failure);
  return true;
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
function planFallback(prepared: PreparedCall, model: string): Plan | undefined {
  try {
    resolveModel(model, prepared.config);
    return planFor(prepared, model);
  } catch (thrown) {
    asGatewayError(thrown);
    return undefined;
  }
}

function noneAvailable(prepared: PreparedCall, plan: Plan): GatewayError {
  const seconds = Math.ceil(plan.restsForMs / 1000);
  return new GatewayError(
    429,
    "rate_limit_error",
    `No deployments available for ${prepared.model}: all of them rest after failures. Try again in ${seconds} seconds.`,
    { retryAfter: seconds },
  );
}

/**
 * LiteLLM's fields by which a caller tries out its fallbacks: a failure stands in for all tries at the requested model.
 * @throws GatewayError that failure
 */
function throwMockedFailure(data: JsonObject): void {
  const text = (what: string): string =>
    `This is a mock failure: the model ${what}, as the request asked for.`;
  const refused = (what: string, providerCode: string): GatewayError =>
    new GatewayError(400, "invalid_request_error", text(what), { providerCode });
  if (data.mock_testing_fallbacks === true) throw new GatewayError(500, "api_error", text("fails"));
  if (data.mock_testing_context_fallbacks === true)
    throw refused("finds the request too long", "context_length_exceeded");
  if (data.mock_testing_content_policy_fallbacks === true)
    throw refused("refuses the content", "content_policy_violation");
}

function asGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  throw thrown;
}
