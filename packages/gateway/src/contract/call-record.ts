import type { CallTrace } from "./call-trace.ts";
import type { Deployment } from "./deployment.ts";
import type { GatewayError } from "./errors.ts";
import type { Named } from "./principal.ts";
import type { Usage } from "./usage.ts";

/** What became known about one call; filled in on its way, read by headers, log line and spend row. */
export interface CallRecord {
  readonly startedAt: number;
  callType: string;
  /** The model as the caller named it, after aliases and overrides. */
  model: string | undefined;
  deployment: Deployment | undefined;
  /** The upstream's address without its query. */
  apiBase: string | undefined;
  provider: string | undefined;
  /** The provider got the caller's own format. */
  native: boolean;
  usage: Usage | undefined;
  /** US dollars; absent while unknown or when the price list has no price. */
  cost: number | undefined;
  attemptedRetries: number;
  attemptedFallbacks: number;
  /** Tries that gave no answer, in their order; absent while there is none. */
  failedAttempts: FailedAttempt[] | undefined;
  /** Milliseconds spent waiting for the upstream, for the overhead header. */
  upstreamMs: number;
  /** The last request to the upstream has begun to go out: only then may it cost anything. */
  isSent: boolean;
  /** `left`: an attempt that went on without its call, which has a record of its own. */
  status: "pending" | "success" | "failure" | "aborted" | "left";
  streamed: boolean;
  /** Set by the ledger: the call's spend row is taken, and there is only one. */
  recorded: boolean;
  /** The failure hooks are told, or whoever began the call tells them. */
  isFailureTold: boolean;
  /** Name of the answer in the cache; absent where the cache has no part in the call. */
  cacheKey: string | undefined;
  /** Why a hook ended the call's stream. */
  refusal?: GatewayError;
  /** Why the call failed; absent while it has not. */
  failure?: GatewayError;
  /** The answer came from the cache. */
  isCacheHit: boolean;
  /** By what the call was led to the deployment that may have its prompt in the cache. */
  affinity: string | undefined;
  /** Hosted tools that the provider lacks and the call went without. */
  omittedTools: readonly string[] | undefined;
  /** The customer and the tags that the request names; absent before it was read. */
  named: Named | undefined;
  /** What the request names of the agent's or client's session that it belongs to. */
  session: string | undefined;
  /** When the model's answer began, in milliseconds since the epoch; absent for whole answers. */
  contentAt?: number | undefined;
  /** What the request tells of itself; absent where it tells nothing. */
  notes?: CallNotes | undefined;
  /** Absent where nothing is traced. */
  trace: CallTrace | undefined;
  /** Ids at providers that callers know by another one; errors name them by that. */
  shownIds: Map<string, string> | undefined;
}

/** A try at a deployment that gave no answer. */
export interface FailedAttempt {
  readonly deployment: Deployment;
  /** Milliseconds. */
  readonly took: number;
  /** HTTP status. */
  readonly status: number;
}

/** What a request tells of itself beside its content. */
export interface CallNotes {
  /** Names of the tools whose results it brings, in their order, with repeats; never what they were called with. */
  readonly tools: readonly string[];
  /** The caller's own labels: short texts, numbers and truth values. */
  readonly metadata: Readonly<Record<string, string | number | boolean>>;
}

/** The record of a call about which nothing is known yet. */
export function newCallRecord(callType: string): CallRecord {
  return {
    startedAt: Date.now(),
    callType,
    model: undefined,
    deployment: undefined,
    apiBase: undefined,
    provider: undefined,
    native: false,
    usage: undefined,
    cost: undefined,
    attemptedRetries: 0,
    attemptedFallbacks: 0,
    failedAttempts: undefined,
    upstreamMs: 0,
    isSent: false,
    status: "pending",
    streamed: false,
    recorded: false,
    isFailureTold: false,
    cacheKey: undefined,
    isCacheHit: false,
    affinity: undefined,
    omittedTools: undefined,
    named: undefined,
    session: undefined,
    trace: undefined,
    shownIds: undefined,
  };
}

/** Notes that a caller knows a provider's id by another one. */
export function noteShownId(call: CallRecord, providerId: string | undefined, id: string): void {
  if (providerId === undefined || providerId === id) return;
  call.shownIds ??= new Map();
  call.shownIds.set(providerId, id);
}

/** A provider's text with the ids that the caller knows. */
export function withShownIds({ shownIds }: CallRecord, text: string): string {
  if (shownIds === undefined) return text;
  // The longer of two that begin alike comes first. An id may be short, so that it stands within other words too.
  const ids = [...shownIds.keys()]
    .sort((one, other) => other.length - one.length)
    .map((id) => id.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  const whole = new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${ids.join("|")})(?![\\p{L}\\p{N}_-])`, "gu");
  return text.replace(whole, (providerId) => shownIds.get(providerId)!);
}
