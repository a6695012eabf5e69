/** One limit of a minute, or of calls at the same moment, that a call takes a share of. */
export type Claim =
  | {
      readonly kind: "requests" | "tokens";
      /** Whose: a key's hash, a deployment's id or another scope, and as refusals name it. */
      readonly owner: string;
      readonly name: string;
      readonly limit: number;
      readonly amount: number;
      /** What of it is kept for the call's priority, where priorities have shares. */
      readonly share?: Share;
    }
  | { readonly kind: "parallel"; readonly owner: string; readonly name: string; readonly limit: number };

/** What is kept of a limit for calls of a priority: more than it they get only while little of the limit is used. */
export interface Share {
  /** Empty for all calls that have no share of their own. */
  readonly priority: string;
  readonly limit: number;
  /** What all priorities together may have used, this call included, before each is held to its share. */
  readonly above: number;
}

/** How a limit stands after a claim: what is left of it, and when it is whole again. */
export interface Standing {
  readonly remaining: number;
  /** Milliseconds. */
  readonly resetIn: number;
}

/** All claims were taken, or none because of the one at `refused`: of its limit or, while that has room, of its share. */
export type ClaimResult =
  | { readonly taken: true; readonly standings: readonly Standing[] }
  | {
      readonly taken: false;
      readonly refused: number;
      readonly standing: Standing;
      readonly byShare: boolean;
    };

/** What a call really used, to replace what it claimed. */
export interface ActualUse {
  readonly tokens: number;
}

/**
 * The counters behind limits. A minute begins with the first call of an owner after the one before has passed. Tokens
 * that are more than what is left are still given to a call that has the limit for itself, so that a careful estimate
 * never locks anybody out: the limit is then passed by at most that one call.
 */
export interface Counters {
  /** Takes all claims or none. `id` names the call until it is finished. */
  claim(id: string, claims: readonly Claim[]): Promise<ClaimResult>;
  /** Ends a call: replaces its claims by what it used, or gives all of it back when it used nothing (`undefined`). */
  finish(id: string, claims: readonly Claim[], use: ActualUse | undefined): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds of the window of requests and tokens. */
export const MINUTE = 60_000;

/**
 * Milliseconds after which a share whose holder gave no sign of life no longer counts, and between two such signs: what a
 * process held that was killed is free within a minute, and a process that stood still for a while loses nothing.
 */
export const HOLD_LEASE = 30_000;
export const RENEW_EVERY = 8000;
