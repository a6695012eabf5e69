import {
  type ActualUse,
  type Claim,
  type ClaimResult,
  type Counters,
  MINUTE,
  type Standing,
} from "./counters.ts";

interface Use {
  used: number;
  /** Part of `used` that running calls may yet give back. */
  reserved: number;
  /** How much of both `takeUntold` has told. */
  toldUsed: number;
  toldReserved: number;
}

/** Requests or tokens of one owner within the running minute. */
interface MinuteCounter extends Use {
  readonly kind: MinuteClaim["kind"];
  readonly owner: string;
  startedAt: number;
  /** What was used elsewhere before the minute went on here. */
  readonly before: number;
  /** The same by priority, where these have shares. */
  readonly shares: Map<string, Use>;
}

export type MinuteClaim = Exclude<Claim, { kind: "parallel" }>;

/** What of a minute was used here, to be counted elsewhere too. */
export interface UntoldUse extends Pick<MinuteCounter, "kind" | "owner" | "before" | "used" | "reserved"> {
  /** Milliseconds until the minute is over. */
  readonly rest: number;
  /** The same by priority. */
  readonly shares: readonly { readonly priority: string; readonly used: number; readonly reserved: number }[];
}

/** What a running call holds. */
interface Held {
  readonly minutes: ReadonlyMap<string, number>;
}

/** Owners remembered before those whose minute has passed are swept out; then as many again as were left have to come. */
export const SWEEP_ABOVE = 10_000;

/** Counters of a single process: exact, because nothing happens between looking and taking. */
export class MemoryCounters implements Counters {
  readonly #minutes = new Map<string, MinuteCounter>();
  readonly #parallel = new Map<string, number>();
  readonly #held = new Map<string, Held>();
  #sweepAbove = SWEEP_ABOVE;

  async claim(id: string, claims: readonly Claim[]): Promise<ClaimResult> {
    const now = Date.now();
    for (const [index, claim] of claims.entries()) {
      const refusal = this.#refusal(claim, now);
      if (refusal !== undefined) return { taken: false, refused: index, ...refusal };
    }
    return { taken: true, standings: this.#takeAll(id, claims, now) };
  }

  async finish(id: string, claims: readonly Claim[], use: ActualUse | undefined): Promise<void> {
    const held = this.#held.get(id);
    if (held === undefined) return;
    this.#held.delete(id);
    for (const claim of claims) this.#settle(claim, held, use);
  }

  /** Has a minute go on here that was counted elsewhere, unless it does so already. */
  goOn(claim: MinuteClaim, used: number, startedAt: number): void {
    const name = nameOf(claim);
    const counter = this.#minutes.get(name);
    if (counter !== undefined && counter.startedAt >= startedAt) return;
    this.#minutes.set(name, { ...newMinute(claim, startedAt, used), used, toldUsed: used });
  }

  /** What running minutes have used here since this was last asked. */
  takeUntold(now: number): UntoldUse[] {
    const untold: UntoldUse[] = [];
    for (const counter of this.#minutes.values()) {
      const { kind, owner, before, startedAt, shares } = counter;
      if (now >= startedAt + MINUTE) continue;
      const ofShares = [...shares].map(([priority, use]) => ({ priority, ...untoldOf(use) }));
      const own = untoldOf(counter);
      if ([own, ...ofShares].every(({ used, reserved }) => used === 0 && reserved === 0)) continue;
      untold.push({ kind, owner, before, ...own, rest: startedAt + MINUTE - now, shares: ofShares });
    }
    return untold;
  }

  async close(): Promise<void> {
    this.#held.clear();
  }

  #takeAll(id: string, claims: readonly Claim[], now: number): Standing[] {
    const minutes = new Map<string, number>();
    const standings = claims.map((claim) => this.#take(claim, now, minutes));
    this.#held.set(id, { minutes });
    if (this.#minutes.size > this.#sweepAbove) this.#sweep(now);
    return standings;
  }

  #refusal(claim: Claim, now: number): { standing: Standing; byShare: boolean } | undefined {
    if (claim.kind === "parallel") {
      const running = this.#parallel.get(claim.owner) ?? 0;
      return running < claim.limit
        ? undefined
        : { standing: { remaining: 0, resetIn: 1000 }, byShare: false };
    }
    const minute = this.#minute(claim, now);
    const { share } = claim;
    const standingAt = (limit: number, { used }: Use): Standing => ({
      remaining: Math.max(0, limit - used),
      resetIn: minute.startedAt + MINUTE - now,
    });
    if (!hasRoom(claim, claim.limit, minute))
      return { standing: standingAt(claim.limit, minute), byShare: false };
    if (share === undefined || minute.used + claim.amount <= share.above) return undefined;
    const use = minute.shares.get(share.priority) ?? NOTHING;
    return hasRoom(claim, share.limit, use)
      ? undefined
      : { standing: standingAt(share.limit, use), byShare: true };
  }

  #take(claim: Claim, now: number, held: Map<string, number>): Standing {
    if (claim.kind === "parallel") {
      const running = (this.#parallel.get(claim.owner) ?? 0) + 1;
      this.#parallel.set(claim.owner, running);
      return { remaining: claim.limit - running, resetIn: 0 };
    }
    const counter = this.#minute(claim, now);
    for (const use of usesOf(counter, claim)) {
      use.used += claim.amount;
      if (claim.kind === "tokens") use.reserved += claim.amount;
    }
    held.set(nameOf(claim), counter.startedAt);
    return { remaining: Math.max(0, claim.limit - counter.used), resetIn: counter.startedAt + MINUTE - now };
  }

  #settle(claim: Claim, held: Held, use: ActualUse | undefined): void {
    if (claim.kind === "parallel") {
      const running = (this.#parallel.get(claim.owner) ?? 1) - 1;
      if (running === 0) this.#parallel.delete(claim.owner);
      else this.#parallel.set(claim.owner, running);
      return;
    }
    const counter = this.#minutes.get(nameOf(claim));
    // In a new minute the call's share of the old one is gone already.
    if (counter === undefined || counter.startedAt !== held.minutes.get(nameOf(claim))) return;
    const actual = claim.kind === "requests" ? (use === undefined ? 0 : claim.amount) : (use?.tokens ?? 0);
    for (const each of usesOf(counter, claim)) {
      each.used = Math.max(0, each.used + actual - claim.amount);
      if (claim.kind === "tokens") each.reserved = Math.max(0, each.reserved - claim.amount);
    }
  }

  #minute(claim: MinuteClaim, now: number): MinuteCounter {
    const name = nameOf(claim);
    let counter = this.#minutes.get(name);
    if (counter === undefined || now >= counter.startedAt + MINUTE) {
      counter = newMinute(claim, now);
      this.#minutes.set(name, counter);
    }
    return counter;
  }

  #sweep(now: number): void {
    for (const [name, counter] of this.#minutes)
      if (now >= counter.startedAt + MINUTE) this.#minutes.delete(name);
    this.#sweepAbove = Math.max(SWEEP_ABOVE, 2 * this.#minutes.size);
  }
}

const NOTHING: Use = { used: 0, reserved: 0, toldUsed: 0, toldReserved: 0 };

function newMinute({ kind, owner }: MinuteClaim, startedAt: number, before = 0): MinuteCounter {
  return { ...NOTHING, kind, owner, startedAt, before, shares: new Map() };
}

function untoldOf(use: Use): { used: number; reserved: number } {
  const untold = { used: use.used - use.toldUsed, reserved: use.reserved - use.toldReserved };
  use.toldUsed = use.used;
  use.toldReserved = use.reserved;
  return untold;
}

/** Tokens that are more than what is left go to a call that has the limit for itself; of nothing there is none. */
function hasRoom({ kind, amount }: MinuteClaim, limit: number, { used, reserved }: Use): boolean {
  if (limit <= 0) return false;
  const alone = kind === "tokens" && reserved === 0 && used < limit;
  return alone || used + amount <= limit;
}

/** What a claim counts in: the whole limit and, where it has one, its priority's share of it. */
function usesOf(counter: MinuteCounter, { share }: MinuteClaim): Use[] {
  if (share === undefined) return [counter];
  const use = counter.shares.get(share.priority) ?? { ...NOTHING };
  counter.shares.set(share.priority, use);
  return [counter, use];
}

/** What a claim's counter is known by. */
export function nameOf(claim: Claim): string {
  return `${claim.kind} ${claim.owner}`;
}
