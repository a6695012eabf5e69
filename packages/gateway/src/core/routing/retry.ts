import type { Deployment } from "../../contract/deployment.ts";
import type { GatewayError } from "../../contract/errors.ts";
import type { RouterSettings } from "../../platform/config/gateway-config.ts";
import type { RetryClass, RetryPolicy } from "../../platform/config/options/retry-policies.ts";
import type { CooldownRules } from "./health.ts";
import { failureKind } from "./plan.ts";

/** Whether another try follows a failed one: at the same deployments, at the others only, or none. */
export type NextTry = "again" | "elsewhere" | "stop";

/** How often a call is tried again; of the router's settings. */
interface RetrySettings {
  readonly numRetries: number;
  readonly retryPolicy: RetryPolicy;
  readonly modelGroupRetryPolicy: Readonly<Record<string, RetryPolicy>>;
}

/** What a call and the deployment that failed say about further tries. */
interface RequestedRetries {
  /** The caller's number, before all others. */
  readonly retries: number | undefined;
  /** The model as the caller and as the model list name it. */
  readonly names: readonly string[];
  readonly deployment: Deployment;
}

/**
 * What follows a failed try. The number of further tries is the caller's, else that of the error's policy, the
 * deployment's, the router's; a policy also has errors tried again that are not tried again otherwise.
 * @param failures tries that have failed so far, this one included
 */
export function nextTry(
  error: GatewayError,
  failures: number,
  { retries, names, deployment }: RequestedRetries,
  settings: RetrySettings,
): NextTry {
  const byPolicy = policyRetries(error, names, settings);
  if (byPolicy === undefined && failureKind(error) !== "general") return "stop";
  const { num_retries, max_retries } = deployment.params;
  const ofDeployment = num_retries ?? max_retries;
  const usual = typeof ofDeployment === "number" ? ofDeployment : settings.numRetries;
  if (failures > (retries ?? byPolicy ?? usual)) return "stop";
  return error.retryable || byPolicy !== undefined ? "again" : "elsewhere";
}

/**
 * How often a model is tried again after an error of this class; `undefined` where no policy speaks of it. A model
 * group's policy stands in place of the general one, as with LiteLLM.
 */
function policyRetries(
  error: GatewayError,
  names: readonly string[],
  { retryPolicy, modelGroupRetryPolicy }: RetrySettings,
): number | undefined {
  const group = names.find((name) => Object.hasOwn(modelGroupRetryPolicy, name));
  const policy = group === undefined ? retryPolicy : modelGroupRetryPolicy[group]!;
  const found = classesOf(error).find((name) => policy[name] !== undefined);
  return found === undefined ? policy.otherwise : policy[found];
}

/** The router's rules of cooldowns for an error: as many failures as its class may have, where a policy says. */
export function cooldownRules(
  error: GatewayError,
  settings: Pick<RouterSettings, "allowedFails" | "allowedFailsPolicy" | "cooldownTime" | "disableCooldowns">,
): CooldownRules {
  const { allowedFailsPolicy: policy } = settings;
  const found = classesOf(error).find((name) => policy[name] !== undefined);
  return found === undefined ? settings : { ...settings, allowedFails: policy[found]!, isPatient: true };
}

/** The classes of an error, the narrowest first. */
function classesOf(error: GatewayError): readonly RetryClass[] {
  const { status } = error;
  if (failureKind(error) === "content policy") return ["contentPolicy", "badRequest"];
  if (status === 401) return ["authentication"];
  if (status === 429) return ["rateLimit"];
  if (status === 408 || status === 504) return ["timeout"];
  if (status === 503) return ["serviceUnavailable"];
  if (status >= 500) return ["internalServer"];
  return status === 400 || status === 413 || status === 422 ? ["badRequest"] : [];
}

/** Seconds; waits grow from the first to the last. */
const FIRST_WAIT = 0.5;
const MAX_WAIT = 8;
/** A provider that asks for more patience than this is not waited for. */
const MAX_RETRY_AFTER = 60;

/**
 * Seconds to wait before the next try at a deployment that has just failed: what the provider asked for, else
 * exponentially more with each try and a quarter of jitter.
 * @param tries how many have failed so far, from 1
 * @returns `undefined` when waiting that long makes no sense
 */
export function retryWait(
  error: GatewayError,
  tries: number,
  leastSeconds: number,
  random: () => number,
): number | undefined {
  if (error.retryAfter !== undefined && error.retryAfter > MAX_RETRY_AFTER) return undefined;
  const backoff = Math.min(MAX_WAIT, FIRST_WAIT * 2 ** (tries - 1)) * (1 - 0.25 * random());
  return Math.max(error.retryAfter ?? backoff, leastSeconds);
}
