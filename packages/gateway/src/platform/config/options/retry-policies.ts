import { isJsonObject } from "../../../contract/json.ts";
import { type Option, WrongValue } from "../option.ts";

/** The members of a policy as LiteLLM names them, by what they are called here. */
const members = {
  AuthenticationErrorRetries: "authentication",
  TimeoutErrorRetries: "timeout",
  RateLimitErrorRetries: "rateLimit",
  ContentPolicyViolationErrorRetries: "contentPolicy",
  BadRequestErrorRetries: "badRequest",
  ServiceUnavailableErrorRetries: "serviceUnavailable",
  InternalServerErrorRetries: "internalServer",
  DefaultRetries: "otherwise",
} as const;

/** A class of errors that has a number of retries of its own. */
export type RetryClass = (typeof members)[keyof typeof members];

/** Further tries by the class of the error; classes that are absent have none of their own. */
export type RetryPolicy = Readonly<Partial<Record<RetryClass, number>>>;

const shape = `a map of ${Object.keys(members).join(", ")} to numbers`;

export function retryPolicy(doc: string): Option<RetryPolicy> {
  return { shape, initial: {}, doc, read: readPolicy };
}

export function retryPolicies(doc: string): Option<Readonly<Record<string, RetryPolicy>>> {
  return {
    shape: "a map of model names to such maps",
    initial: {},
    doc,
    read: (value) => {
      if (!isJsonObject(value)) return new WrongValue("expected a map from model names to retry policies");
      const policies: Record<string, RetryPolicy> = {};
      for (const [model, given] of Object.entries(value)) {
        const policy = readPolicy(given);
        if (policy instanceof WrongValue) return new WrongValue(policy.message, [model, ...policy.at]);
        policies[model] = policy;
      }
      return policies;
    },
  };
}

function readPolicy(value: unknown): RetryPolicy | WrongValue {
  if (!isJsonObject(value)) return new WrongValue(`expected ${shape}`);
  const policy: Partial<Record<RetryClass, number>> = {};
  for (const [name, retries] of Object.entries(value)) {
    if (!Object.hasOwn(members, name))
      return new WrongValue(`expected one of ${Object.keys(members).join(", ")}`, [name]);
    if (retries === null) continue;
    if (typeof retries !== "number" || !Number.isInteger(retries) || retries < 0)
      return new WrongValue("expected a whole number, at least 0", [name]);
    policy[members[name as keyof typeof members]] = retries;
  }
  return policy;
}
