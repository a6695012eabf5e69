import { GatewayError } from "../../contract/errors.ts";
import { defined } from "../../contract/json.ts";
import type { Family } from "../../contract/wire-format.ts";
import type { BudgetClaim } from "./budgets.ts";
import type { Claim, Standing } from "./counters.ts";
import { rateLimitHeaders } from "./rate-limit-headers.ts";

const words = {
  requests: "requests per minute",
  tokens: "tokens per minute",
  parallel: "parallel requests",
} as const;

/**
 * The refusal of a call that a limit has no room for.
 * @param byShare whether it is the share of the call's priority that has none
 */
export function limitError(claim: Claim, standing: Standing, byShare = false): GatewayError {
  const share = byShare && claim.kind !== "parallel" ? claim.share : undefined;
  const message =
    share === undefined
      ? `Rate limit of ${claim.name} exceeded: ${claim.limit} ${words[claim.kind]}`
      : `Rate limit of ${priorityNamed(share.priority)} at ${claim.name} exceeded: its share is ${share.limit} of ${claim.limit} ${words[claim.kind]} while others need theirs`;
  return new GatewayError(429, "rate_limit_error", message, {
    retryAfter: Math.max(1, Math.ceil(standing.resetIn / 1000)),
    headers: everyFamily(share === undefined ? claim : { ...claim, limit: share.limit }, standing),
  });
}

function priorityNamed(priority: string): string {
  return priority === "" ? "calls without a priority" : `the priority ${priority}`;
}

/** The refusal of a call whose budget is spent. */
export function budgetSpent(
  { name, limit, isOperators, windowEnd }: BudgetClaim,
  spent: number,
): GatewayError {
  const figures = isOperators ? "" : `: ${dollars(spent)} of ${dollars(limit)} are spent`;
  const until = windowEnd === undefined ? "" : `; it resets at ${new Date(windowEnd).toISOString()}`;
  const message = `The budget of ${name} is exhausted${figures}${until}`;
  return new GatewayError(402, "budget_exceeded", message, { retryable: false });
}

/**
 * A deployment that gets no call because its own budget or its provider's is spent; how much that is, is not its callers'
 * to know. Another deployment or a fallback may take the call, as while this one is in cooldown.
 */
export function deploymentSpent({ name, windowEnd }: BudgetClaim, model: string): GatewayError {
  const until = windowEnd === undefined ? "" : ` until ${new Date(windowEnd).toISOString()}`;
  const message = `No deployments available for ${model}: the budget of ${name} is spent${until}`;
  const retryAfter = windowEnd && Math.max(1, Math.ceil((windowEnd - Date.now()) / 1000));
  return new GatewayError(429, "budget_exceeded", message, defined({ retryAfter }));
}

/** The refusal of a call that waited in vain for others that hold what is left of the budget. */
export function budgetHeld({ name }: BudgetClaim): GatewayError {
  const message = `What is left of the budget of ${name} is held by calls that run; try again when they have ended`;
  return new GatewayError(429, "rate_limit_error", message, { retryAfter: 10 });
}

/** The refusal of a call whose budget nobody can count, because the database is away. */
export function budgetsAway(cause: Error): GatewayError {
  const message = "The budget of this call cannot be counted at the moment; try again";
  return new GatewayError(503, "overloaded_error", message, { retryAfter: 5, cause });
}

/** The refusal of a call whose limits nobody can count, because the process that counts them does not answer. */
export function limitsAway(cause: Error): GatewayError {
  const message = "The limits of this call cannot be counted at the moment; try again";
  return new GatewayError(503, "overloaded_error", message, { retryAfter: 5, cause });
}

/** The refusal of what may cost more than is left, such as a batch. */
export function tooDear({ name, amount, isOperators }: BudgetClaim, remaining: number): GatewayError {
  const left = isOperators ? "is left" : `the ${dollars(remaining)} that are left`;
  const message = `The request may cost ${dollars(amount)}, more than ${left} of the budget of ${name}`;
  return new GatewayError(402, "budget_exceeded", message, { retryable: false });
}

function dollars(amount: number): string {
  return `$${+amount.toFixed(6)}`;
}

/** The refusal does not know its caller's family; clients read their own headers and skip the others. */
function everyFamily(claim: Claim, standing: Standing): Record<string, string> {
  const families: readonly Family[] = ["openai", "anthropic"];
  const now = Date.now();
  return Object.assign({}, ...families.map((family) => rateLimitHeaders([claim], [standing], family, now)));
}
