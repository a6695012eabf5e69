import type { Deployment } from "./deployment.ts";
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
  /** Milliseconds spent waiting for the upstream, for the overhead header. */
  upstreamMs: number;
  status: "pending" | "success" | "failure" | "aborted";
  streamed: boolean;
  /** Set by the ledger: the call's spend row is taken, and there is only one. */
  recorded: boolean;
  /** Hosted tools that the provider lacks and the call went without. */
  omittedTools: readonly string[] | undefined;
  /** Ids at providers that callers know by another one; errors name them by that. */
  shownIds: Map<string, string> | undefined;
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
    upstreamMs: 0,
    status: "pending",
    streamed: false,
    recorded: false,
    omittedTools: undefined,
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
  let shown = text;
  for (const [providerId, id] of shownIds ?? []) shown = shown.replaceAll(providerId, id);
  return shown;
}
