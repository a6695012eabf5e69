import { isJsonObject } from "../../../contract/json.ts";
import { type Option, WrongValue } from "./option.ts";

/** Classes of errors by what LiteLLM's policies call them, to stand before `Retries` or `AllowedFails`. */
const classes = {
  AuthenticationError: "authentication",
  TimeoutError: "timeout",
  RateLimitError: "rateLimit",
  ContentPolicyViolationError: "contentPolicy",
  BadRequestError: "badRequest",
  ServiceUnavailableError: "serviceUnavailable",
  InternalServerError: "internalServer",
} as const;

/** The members of a policy as LiteLLM names them, by what they are called here. */
type Members = Readonly<Record<string, RetryClass>>;

function membersOf(what: string): Members {
  return Object.fromEntries(Object.entries(classes).map(([name, each]) => [`${name}${what}`, each]));
}

const retries: Members = { ...membersOf("Retries"), DefaultRetries: "otherwise" };
const allowedFails = membersOf("AllowedFails");

/** A class of errors that has a number of retries of its own. */
export type RetryClass = (typeof classes)[keyof typeof classes] | "otherwise";

/** Further tries by the class of the error; classes that are absent have none of their own. */
export type RetryPolicy = Readonly<Partial<Record<RetryClass, number>>>;

function shapeOf(members: Members): string {
  return `a map of ${Object.keys(members).join(", ")} to numbers`;
}

export function retryPolicy(doc: string): Option<RetryPolicy> {
  return { shape: shapeOf(retries), initial: {}, doc, read: (value) => readPolicy(value, retries) };
}

/** How many failures of each class a deployment may have. */
export function allowedFailsPolicy(doc: string): Option<RetryPolicy> {
  return { shape: shapeOf(allowedFails), initial: {}, doc, read: (value) => readPolicy(value, allowedFails) };
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
        const policy = readPolicy(given, retries);
        if (policy instanceof WrongValue) return new WrongValue(policy.message, [model, ...policy.at]);
        policies[model] = policy;
      }
      return policies;
    },
  };
}

function readPolicy(value: unknown, members: Members): RetryPolicy | WrongValue {
  if (!isJsonObject(value)) return new WrongValue(`expected ${shapeOf(members)}`);
  const policy: Partial<Record<RetryClass, number>> = {};
  for (const [name, number] of Object.entries(value)) {
    const member = memberNamed(name, members);
    if (member === undefined)
      return new WrongValue(`expected one of ${Object.keys(members).join(", ")}`, [name]);
    if (number === null) continue;
    if (typeof number !== "number" || !Number.isInteger(number) || number < 0)
      return new WrongValue("expected a whole number, at least 0", [name]);
    policy[member] = number;
  }
  return policy;
}

/** Files leave out `Error`, which LiteLLM passes over without a word. */
function memberNamed(name: string, members: Members): RetryClass | undefined {
  const plain = (each: string): string => each.replace("Error", "");
  return Object.entries(members).find(([each]) => plain(each) === plain(name))?.[1];
}
