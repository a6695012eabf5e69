/** One limit that a call takes a share of. */
export type Claim =
  | {
      readonly kind: "requests" | "tokens";
      /** Whose: a key's hash or a deployment's id. */
      readonly owner: string;
      readonly limit: number;
      readonly amount: number;
    }
  | { readonly kind: "parallel"; readonly owner: string; readonly limit: number }
  | {
      readonly kind: "budget";
      readonly owner: string;
      /** US dollars. */
      readonly limit: number;
      readonly amount: number;
      /** Names the budget window; another name starts from `spentBefore` again. */
      readonly window: string;
      /** Milliseconds since the epoch at which the window ends; absent for good. */
      readonly endsAt: number | undefined;
      /** What the store knows to be spent in this window when these counters do not know it yet. */
      readonly spentBefore: number;
    };

/** How a limit stands after a claim: what is left of it, and when it is whole again. */
export interface Standing {
  readonly remaining: number;
  /** Milliseconds. */
  readonly resetIn: number;
}

/** All claims were taken, or none because of the one at `refused`. */
export type ClaimResult =
  | { readonly taken: true; readonly standings: readonly Standing[] }
  | {
      readonly taken: false;
      readonly refused: number;
      readonly standing: Standing;
      /** The limit is reached only by calls that still run; when they end for less than they reserved, there is room. */
      readonly mayFree: boolean;
    };

/** What a call really used, to replace what it claimed. */
export interface ActualUse {
  readonly tokens: number;
  /** US dollars. */
  readonly cost: number;
}

/**
 * The counters behind limits and budgets. A minute begins with the first call of an owner after the one before has
 * passed. A share that is larger than what is left is still given to a call that has the limit for itself, so
 * that a careful estimate never locks anybody out: the limit is then passed by at most that one call.
 */
export interface Counters {
  /** Takes all claims or none. `id` names the call until it is finished. */
  claim(id: string, claims: readonly Claim[]): Promise<ClaimResult>;
  /** Ends a call: replaces its claims by what it used, or gives all of it back when it used nothing (`undefined`). */
  finish(id: string, claims: readonly Claim[], use: ActualUse | undefined): Promise<void>;
  close(): Promise<void>;
  /** Rises when the counters may have lost what they knew; what the store knows is then read again. */
  readonly epoch?: number;
}

/** Milliseconds of the window of requests and tokens. */
export const MINUTE = 60_000;

/** Milliseconds after which a call that was never finished (its process died) no longer counts. */
export const CLAIM_LEASE = 20 * 60_000;
