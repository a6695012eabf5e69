import type { Target } from "../../contract/deployment.ts";
import { forbidden, type GatewayError } from "../../contract/errors.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import type { Fallbacks } from "../../platform/config/options/router-options.ts";
import { type Resolution, resolveModel } from "./resolve-model.ts";
import { type StrategyContext, strategies } from "./strategies.ts";
import { fitsTags } from "./tags.ts";

/** What routing needs to know of a request. */
export interface PlanRequest {
  /** After aliases and overrides. */
  readonly model: string;
  /** The region to which the caller's key is bound. */
  readonly region: string | undefined;
  /** Finds the deployments of the model; `resolveModel` by default. */
  readonly resolve?: typeof resolveModel;
  /** Tags of the call, by which deployments are chosen; absent where no model is called. */
  readonly tags?: readonly string[];
}

/** Why a deployment is not among the attempts. */
interface LeftOut {
  readonly target: Target;
  readonly reason: string;
  readonly isCoolingDown: boolean;
}

/** The deployments to try for one model name, in this order; further tries begin again at the first. */
export interface Plan {
  readonly resolution: Resolution;
  /** Never empty, unless every deployment is in cooldown. */
  readonly attempts: readonly Target[];
  readonly leftOut: readonly LeftOut[];
  /** Milliseconds until the first deployment may be tried again; 0 when there are attempts. */
  readonly cooldownMs: number;
}

/**
 * Turns a request, the configuration and the deployments' health into an ordered list of attempts. Pure but for
 * `random`.
 * @throws GatewayError 400 for a name that nothing matches, 403 when the key's region excludes every deployment
 */
export function planAttempts(request: PlanRequest, config: GatewayConfig, context: StrategyContext): Plan {
  const { resolve = resolveModel } = request;
  const resolution = resolve(request.model, config);
  const leftOut: LeftOut[] = [];
  const inRegion = resolution.targets.filter((target) => {
    const { region } = target.deployment;
    const fits = request.region === undefined || region === undefined || region === request.region;
    if (!fits) leftOut.push({ target, reason: `runs in region ${region}`, isCoolingDown: false });
    return fits;
  });
  if (inRegion.length === 0) throw regionExcludesAll(request);
  const tagged = withTags(inRegion, request, config, leftOut);
  // One deployment alone has no cooldown: a failing model is no worse than none.
  const ready = tagged.length === 1 ? tagged : withoutCooldown(tagged, context, leftOut);
  const cooldownMs = ready.length > 0 ? 0 : shortestCooldown(tagged, context);
  return { resolution, attempts: ordered(ready, config, context), leftOut, cooldownMs };
}

function withTags(
  targets: readonly Target[],
  { model, tags }: PlanRequest,
  { routerSettings }: GatewayConfig,
  leftOut: LeftOut[],
): readonly Target[] {
  if (tags === undefined || !routerSettings.enableTagFiltering) return targets;
  const deployments = targets.map(({ deployment }) => deployment);
  const fits = fitsTags(deployments, tags, routerSettings);
  const tagged = targets.filter((target) => {
    const fit = fits(target.deployment);
    if (!fit) leftOut.push({ target, reason: "has other tags", isCoolingDown: false });
    return fit;
  });
  if (tagged.length > 0) return tagged;
  const text = `No deployment of ${model} takes calls with the tags ${tags.join(", ")}`;
  throw forbidden(text, "model");
}

function withoutCooldown(targets: readonly Target[], context: StrategyContext, leftOut: LeftOut[]): Target[] {
  return targets.filter((target) => {
    const { cooldownMs } = context.health.state(target.deployment.id);
    const reason = `is in cooldown for ${Math.ceil(cooldownMs / 1000)} s`;
    if (cooldownMs > 0) leftOut.push({ target, reason, isCoolingDown: true });
    return cooldownMs === 0;
  });
}

function shortestCooldown(targets: readonly Target[], context: StrategyContext): number {
  return Math.min(...targets.map(({ deployment }) => context.health.state(deployment.id).cooldownMs));
}

/** By `order` first; the strategy decides among deployments of the same order. One without counts as the last. */
function ordered(targets: readonly Target[], config: GatewayConfig, context: StrategyContext): Target[] {
  if (targets.length < 2) return [...targets];
  const strategy = strategies[config.routerSettings.routingStrategy];
  const levels = Map.groupBy(targets, ({ deployment }) => deployment.order ?? Number.POSITIVE_INFINITY);
  return [...levels]
    .sort(([a], [b]) => (a === b ? 0 : a - b))
    .flatMap(([, level]) => strategy(level, context));
}

function regionExcludesAll(request: PlanRequest): GatewayError {
  return forbidden(
    `No deployment of ${request.model} runs in ${request.region}, the only region that this key may use`,
    "model",
  );
}

/** What kind of failure decides which fallbacks apply. */
export type FailureKind = "context window" | "content policy" | "general" | "caller";

/** Words by which providers say that a request is too long. */
const tooLong =
  /context.{0,12}(length|window)|maximum context|too many (input )?tokens|prompt is too long|input is too long|exceeds? the (maximum|max) .{0,24}tokens/i;
const refusedContent = /content.?(policy|management|filter)|safety system|responsible.?ai/i;

/** Which fallbacks an error calls for; `caller` means none, because the request would fail anywhere. */
export function failureKind(error: GatewayError): FailureKind {
  const code = error.providerCode ?? "";
  if (error.status === 400 || error.status === 413 || error.status === 422) {
    if (code === "context_length_exceeded" || tooLong.test(error.message)) return "context window";
    if (/content_(filter|policy)/.test(code) || refusedContent.test(error.message)) return "content policy";
  }
  if (error.retryable || [401, 403, 404].includes(error.status)) return "general";
  return "caller";
}

/**
 * The models to try when all attempts at one have failed, at most `max_fallbacks`, without the model itself.
 * Failures of a special kind fall back to the general list where their own says nothing.
 * @param names the model as the caller and as the model list name it
 */
export function fallbackModels(
  names: readonly string[],
  kind: FailureKind,
  config: GatewayConfig,
): readonly string[] {
  const settings = config.routerSettings;
  if (kind === "caller") return [];
  const special =
    kind === "context window"
      ? settings.contextWindowFallbacks
      : kind === "content policy"
        ? settings.contentPolicyFallbacks
        : {};
  const models = listed(special, names) ?? listed(settings.fallbacks, names) ?? settings.defaultFallbacks;
  return [...new Set(models)].filter((model) => !names.includes(model)).slice(0, settings.maxFallbacks);
}

function listed(fallbacks: Fallbacks, names: readonly string[]): readonly string[] | undefined {
  const name = [...names, "*"].find((candidate) => Object.hasOwn(fallbacks, candidate));
  return name === undefined ? undefined : fallbacks[name];
}
