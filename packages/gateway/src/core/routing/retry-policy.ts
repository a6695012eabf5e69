import type { GatewayError } from "../../contract/errors.ts";
import type { RetryClass, RetryPolicy } from "../../platform/config/options/retry-policies.ts";
import { failureKind } from "./fallbacks.ts";

/** Where the policies stand; of the router's settings. */
interface Policies {
  readonly retryPolicy: RetryPolicy;
  readonly modelGroupRetryPolicy: Readonly<Record<string, RetryPolicy>>;
}

/**
 * How often a model is tried again after an error of this class; `undefined` where no policy speaks of it. A model
 * group's policy stands in place of the general one, as with LiteLLM.
 * @param names the model as the caller and as the model list name it
 */
export function policyRetries(
  error: GatewayError,
  names: readonly string[],
  { retryPolicy, modelGroupRetryPolicy }: Policies,
): number | undefined {
  const group = names.find((name) => Object.hasOwn(modelGroupRetryPolicy, name));
  const policy = group === undefined ? retryPolicy : modelGroupRetryPolicy[group]!;
  const found = classesOf(error).find((name) => policy[name] !== undefined);
  return found === undefined ? policy.otherwise : policy[found];
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
