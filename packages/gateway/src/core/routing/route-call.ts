import { setTimeout as wait } from "node:timers/promises";
import type { CallRecord } from "../../contract/call-record.ts";
import type { Target } from "../../contract/deployment.ts";
import { GatewayError, toGatewayError } from "../../contract/errors.ts";
import { hasBudget, mayCallModel, type Principal } from "../../contract/principal.ts";
import type { WireFormat } from "../../contract/wire-format.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import { callAborted } from "../../platform/transport/failures.ts";
import { type CallSignal, toAbortSignal } from "../../util/light-signal.ts";
import type { CostOf } from "../ledger/price.ts";
import { type Affinity, byAffinity } from "./affinity.ts";
import type { HealthBook } from "./health.ts";
import { type FailureKind, failureKind, fallbackModels, type Plan, planAttempts } from "./plan.ts";
import { resolveModel } from "./resolve-model.ts";
import { cooldownRules, nextTry, retryWait } from "./retry.ts";

/** What routing needs of the rest of the gateway. */
export interface RoutingDeps {
  readonly health: HealthBook;
  /** US dollars; `undefined` when the price is unknown. */
  readonly costOf: CostOf;
  /** Uniform in [0, 1); tests replace it. */
  readonly random?: () => number;
}

/** What routing needs to know of a call. */
export interface RouteRequest {
  readonly config: GatewayConfig;
  /** After overrides and aliases. */
  readonly model: string;
  readonly format: WireFormat;
  readonly principal: Principal;
  /** The one region that the call may run in. */
  readonly region: string | undefined;
  readonly tags: readonly string[];
  /** Id of the deployment that is tried first where the plan has it. */
  readonly preferredDeployment: string | undefined;
  /** What the call has in common with earlier ones; asked for only where several deployments could answer. */
  readonly affinity: () => Affinity | undefined;
  /** The caller's number of further tries. */
  readonly retries: number | undefined;
  /** The caller's own fallbacks, in place of the configuration's. */
  readonly fallbacks: readonly string[] | undefined;
  /** Stands in for all tries at the requested model, so that its fallbacks can be tried out. */
  readonly mockedFailure: GatewayError | undefined;
  /** The caller asked for a certain answer, which must not count for or against a deployment. */
  readonly isMocked: boolean;
  readonly signal: CallSignal;
  readonly record: CallRecord;
}

/** What a call does on its way along the plan. */
export interface RouteSteps<Answer> {
  /**
   * Before the first try.
   * @param targets the deployments that may answer, the likely one first
   * @param fallbacks those that may answer when none of them does
   */
  admit(targets: readonly Target[], fallbacks: () => readonly Target[]): void | Promise<void>;
  /**
   * Makes a try ready.
   * @param failsOver another deployment could take over
   * @param lacksFormat the deployment's host turned out not to have the call's format
   * @returns sends it
   * @throws DeploymentFull when the deployment's own limits leave no room
   */
  open(
    target: Target,
    failsOver: boolean,
    lacksFormat: boolean,
  ): (() => Promise<Answer>) | Promise<() => Promise<Answer>>;
}

/** A deployment's own limits leave no room for a call; another deployment may have some. */
export class DeploymentFull extends GatewayError {}

/** An answer, and what its deployment's health hears of it later. */
export interface Routed<Answer> {
  readonly answer: Answer;
  readonly health: ServedHealth;
}

/** Tells a deployment's health of one answer. */
export class ServedHealth {
  readonly #book: HealthBook;
  readonly #id: string;
  readonly #settings: GatewayConfig["routerSettings"];

  constructor(book: HealthBook, deploymentId: string, settings: GatewayConfig["routerSettings"]) {
    this.#book = book;
    this.#id = deploymentId;
    this.#settings = settings;
  }

  /** Called once when the answer is over. @param tokens that it used */
  ended(tokens: number | undefined): void {
    this.#book.ended(this.#id, tokens);
  }

  /** There is no answer, or its stream broke after it had begun. */
  failed(error: GatewayError): void {
    this.#book.failed(this.#id, error, cooldownRules(error, this.#settings));
  }
}

/**
 * Plans a call and tries the plan's deployments, and then those of the fallbacks, until one answers. Nothing has reached
 * the caller until this resolves.
 * @throws GatewayError 400 for a model that nobody knows, 403 for a region or tags without deployments; the first
 *   model's failure when no fallback answers either, because that is the one asked for
 */
export async function routeCall<Answer>(
  deps: RoutingDeps,
  request: RouteRequest,
  steps: RouteSteps<Answer>,
): Promise<Routed<Answer>> {
  const plan = planFor(deps, request, request.model);
  const targets = plan.attempts.length > 0 ? plan.attempts : plan.resolution.targets;
  const admitting = steps.admit(targets, () => fallbackTargets(request, plan));
  if (admitting !== undefined) await admitting;
  let failure: GatewayError;
  try {
    if (request.mockedFailure !== undefined) throw request.mockedFailure;
    return await tryModel(deps, request, plan, steps, hasFallback(request, plan));
  } catch (thrown) {
    failure = asGatewayError(thrown);
  }
  const fallbacks = fallbacksOf(request, plan, failureKind(failure));
  for (const [index, model] of fallbacks.entries()) {
    if (request.signal.aborted) break;
    const fallback = planFallback(deps, request, model);
    if (fallback === undefined) continue;
    request.record.attemptedFallbacks += 1;
    try {
      return await tryModel(deps, request, fallback, steps, index < fallbacks.length - 1);
    } catch (thrown) {
      asGatewayError(thrown);
    }
  }
  throw failure;
}

/** A thousand tokens each way, for comparing prices. */
const comparedUsage = { input: 1000, output: 1000, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

function planFor({ health, costOf, random }: RoutingDeps, request: RouteRequest, model: string): Plan {
  const { config, region, tags, preferredDeployment } = request;
  const plan = planAttempts({ model, region, tags }, config, {
    health,
    random: random ?? Math.random,
    price: (target) => costOf(target.deployment, target.model, comparedUsage),
  });
  if (plan.attempts.length < 2) return plan;
  const preferred = plan.attempts.find(({ deployment }) => deployment.id === preferredDeployment);
  if (preferred === undefined) return withAffinity(plan, request);
  return { ...plan, attempts: [preferred, ...plan.attempts.filter((target) => target !== preferred)] };
}

/** Among deployments of the same `order`, the one first that may have the prompt in its provider's cache. */
function withAffinity(plan: Plan, { affinity, record }: RouteRequest): Plan {
  const found = affinity();
  if (found === undefined) return plan;
  record.affinity = found.by;
  const levels = Map.groupBy(plan.attempts, ({ deployment }) => deployment.order);
  return { ...plan, attempts: [...levels.values()].flatMap((level) => byAffinity(level, found.key)) };
}

/**
 * Tries the deployments in turn; after a round it waits, and then begins again with those that may still help.
 * @param hasMore another model follows when none of them answers
 */
async function tryModel<Answer>(
  deps: RoutingDeps,
  request: RouteRequest,
  plan: Plan,
  steps: RouteSteps<Answer>,
  hasMore: boolean,
): Promise<Routed<Answer>> {
  const { config, retries, record, signal } = request;
  const names = [request.model, plan.resolution.group];
  const candidates = [...plan.attempts];
  let failure: GatewayError | undefined;
  for (let position = 0, failures = 0; candidates.length > 0; ) {
    const target = candidates[position]!;
    try {
      return await tryDeployment(deps, request, target, steps, hasMore || candidates.length > 1);
    } catch (thrown) {
      failure = asGatewayError(thrown);
    }
    if (signal.aborted) throw callAborted(failure);
    // No try took place where the deployment had no room.
    const isFull = failure instanceof DeploymentFull;
    if (!isFull) failures += 1;
    const asked = { retries, names, deployment: target.deployment };
    const next = isFull ? "elsewhere" : nextTry(failure, failures, asked, config.routerSettings);
    if (next === "stop") break;
    if (next === "again") position += 1;
    else candidates.splice(position, 1);
    if (candidates.length === 0) break;
    if (!isFull) record.attemptedRetries += 1;
    if (position < candidates.length) continue;
    position = 0;
    if (next === "again" && !(await pause(deps, request, failure, failures))) break;
  }
  throw failure ?? noneAvailable(request, plan);
}

/** Tries one deployment once and reports to its health how that went. */
async function tryDeployment<Answer>(
  { health }: RoutingDeps,
  { config, format, isMocked, record, signal }: RouteRequest,
  target: Target,
  steps: RouteSteps<Answer>,
  failsOver: boolean,
): Promise<Routed<Answer>> {
  const { id } = target.deployment;
  const opening = steps.open(target, failsOver, health.lacksFormat(id, format));
  const send = opening instanceof Promise ? await opening : opening;
  const startedAt = performance.now();
  const served = new ServedHealth(health, id, config.routerSettings);
  health.began(id);
  record.isSent = false;
  record.trace?.tried(target);
  try {
    const answer = await send();
    const elapsed = performance.now() - startedAt;
    record.trace?.answered();
    record.upstreamMs += elapsed;
    if (isMocked) health.abandoned(id);
    else health.succeeded(id, elapsed);
    return { answer, health: served };
  } catch (thrown) {
    const elapsed = performance.now() - startedAt;
    record.upstreamMs += elapsed;
    const error = toGatewayError(thrown);
    record.trace?.failed(error);
    record.failedAttempts ??= [];
    record.failedAttempts.push({ deployment: target.deployment, took: elapsed, status: error.status });
    // The deployment answered where an answer is billed: its model was at fault, which a caller may bring about.
    const isOthersFault = isMocked || error.billed !== undefined || failureKind(error) !== "general";
    if (signal.aborted || isOthersFault) health.abandoned(id);
    else served.failed(error);
    served.ended(undefined);
    throw error;
  }
}

/** Waits before the deployments are tried once more. @returns false when waiting makes no sense */
async function pause(
  { random = Math.random }: RoutingDeps,
  { config, record, signal }: RouteRequest,
  failure: GatewayError,
  failures: number,
): Promise<boolean> {
  const seconds = retryWait(failure, failures, config.routerSettings.retryAfter, random);
  if (seconds === undefined) return false;
  await wait(seconds * 1000, undefined, { signal: toAbortSignal(signal) }).catch(() => undefined);
  record.upstreamMs += seconds * 1000;
  if (signal.aborted) throw callAborted(failure);
  return true;
}

/** Whether a failure that is nobody's fault would lead to another model. */
function hasFallback({ config, fallbacks, model }: RouteRequest, { resolution }: Plan): boolean {
  return (fallbacks ?? fallbackModels([model, resolution.group], "general", config)).length > 0;
}

/** The deployments of all fallbacks that any failure may lead to. */
function fallbackTargets(request: RouteRequest, plan: Plan): readonly Target[] {
  const kinds: readonly FailureKind[] = ["general", "context window", "content policy"];
  const models = new Set(kinds.flatMap((kind) => fallbacksOf(request, plan, kind)));
  return [...models].flatMap((model) => {
    try {
      return resolveModel(model, request.config).targets;
    } catch (thrown) {
      asGatewayError(thrown);
      return [];
    }
  });
}

/**
 * The caller's own fallbacks, as far as the key may call them, else the configuration's. These need no right of the key's,
 * but where the caller asked for the failure: else a key could choose a model that it may not call.
 */
function fallbacksOf(request: RouteRequest, plan: Plan, kind: FailureKind): readonly string[] {
  const { config, fallbacks, principal, model, mockedFailure } = request;
  if (fallbacks === undefined) {
    const configured = fallbackModels([model, plan.resolution.group], kind, config);
    if (mockedFailure === undefined) return configured;
    return configured.filter((name) => mayCallModel(principal, name));
  }
  if (kind === "caller") return [];
  const allowed = fallbacks.filter((name) => mayCallModel(principal, name));
  return allowed.slice(0, config.routerSettings.maxFallbacks);
}

/**
 * A fallback that the configuration or the key's region does not allow is passed over, and so is a deployment without a
 * price where the key has a budget, which could not be held.
 */
function planFallback(deps: RoutingDeps, request: RouteRequest, model: string): Plan | undefined {
  try {
    resolveModel(model, request.config);
    const plan = planFor(deps, request, model);
    if (!hasBudget(request.principal)) return plan;
    const attempts = plan.attempts.filter(({ deployment, model: atProvider }) => {
      return (
        deployment.mockResponse !== undefined ||
        deps.costOf(deployment, atProvider, comparedUsage) !== undefined
      );
    });
    return attempts.length === 0 ? undefined : { ...plan, attempts };
  } catch (thrown) {
    asGatewayError(thrown);
    return undefined;
  }
}

function noneAvailable({ model }: RouteRequest, { cooldownMs }: Plan): GatewayError {
  const seconds = Math.ceil(cooldownMs / 1000);
  const text = `No deployments available for ${model}: all of them are in cooldown. Try again in ${seconds} seconds.`;
  return new GatewayError(429, "rate_limit_error", text, { retryAfter: seconds });
}

function asGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  throw thrown;
}
