import { sql } from "kysely";
import type { Store } from "../../platform/store/schema.ts";
import { type BudgetAnswer, type BudgetClaim, type BudgetShare, windowName } from "./budgets.ts";
import { HOLD_LEASE } from "./counters.ts";
import { MAX_HOLD } from "./hold-store.ts";

/** A call that wants shares of budgets. */
export interface Wanted {
  readonly id: string;
  readonly claims: readonly BudgetClaim[];
  readonly mustFit: boolean;
}

/** What one process has to say to the budgets of all. */
export interface Turn {
  /** Calls that are over, with what they cost where they cost something. */
  readonly ended: ReadonlyMap<string, number | undefined>;
  /** Calls that go on. */
  readonly alive: readonly string[];
  readonly wanted: readonly Wanted[];
}

/** A budget in a window that a turn looks at. */
type Scope = Pick<BudgetShare, "owner" | "windowStart" | "windowEnd">;

/**
 * Has PostgreSQL take a turn, in one statement. The function commits without waiting for the database's disk; the columns
 * of what it returns are read after it, so that a turn in which shares are taken waits: a call of which a crash would make
 * the database forget the share could end before its process notices, and its cost would count nowhere until its row comes.
 * @returns an answer for each call that wants shares
 */
export async function takeTurn(db: Store["db"], { ended, alive, wanted }: Turn): Promise<BudgetAnswer[]> {
  const scopes = scopesOf(wanted);
  const places = new Map(scopes.map((scope, index) => [nameOf(scope), index + 1]));
  const claims = wanted.flatMap((call) => call.claims);
  const befores = claims.map((claim) => beforeOf(claim) ?? null);
  let next = 1;
  const firsts = wanted.map((call) => {
    const first = next;
    next += call.claims.length;
    return first;
  });
  const { rows } = await sql<{ refused: number; budget: number; spent: number; held: number }>`
    select refused, budget, spent, held, set_config('synchronous_commit', 'on', true) from budget_turn_with_rollover(
      ${[...ended.keys()]}::text[], ${[...ended.values()].map((cost) => cost ?? null)}::double precision[],
      ${alive}::text[], ${HOLD_LEASE}::bigint, ${MAX_HOLD}::bigint,
      ${scopes.map(({ owner }) => owner)}::text[], ${scopes.map(windowName)}::text[],
      ${scopes.map(({ windowStart }) => windowStart ?? null)}::bigint[],
      ${scopes.map(({ windowEnd }) => windowEnd ?? null)}::bigint[],
      ${wanted.map(({ id }) => id)}::text[], ${wanted.map(({ mustFit }) => mustFit)}::boolean[],
      ${firsts}::integer[],
      ${claims.map((claim) => places.get(nameOf(claim)))}::integer[],
      ${claims.map(({ limit }) => limit)}::double precision[],
      ${claims.map(({ amount }) => amount)}::double precision[],
      ${befores.map((before) => before && places.get(nameOf(before)))}::integer[],
      ${claims.map(({ rollover }) => rollover?.budget ?? null)}::double precision[],
      ${claims.map(({ rollover }) => rollover?.most ?? null)}::double precision[])`.execute(db);
  return rows.map(({ refused, budget: limit, spent, held }) => {
    if (refused === 0) return { taken: true };
    return refused < 0
      ? { taken: false, endedBy: spent }
      : { taken: false, refused: refused - 1, limit, spent, held };
  });
}

/** Each budget once, in the order in which every process locks them. */
function scopesOf(wanted: readonly Wanted[]): Scope[] {
  const scopes = new Map<string, Scope>();
  for (const { claims } of wanted)
    for (const claim of claims) {
      const before = beforeOf(claim);
      if (before !== undefined) scopes.set(nameOf(before), before);
      scopes.set(nameOf(claim), claim);
    }
  return [...scopes].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, scope]) => scope);
}

/** The window from which something rolls over to a claim's. */
function beforeOf({ owner, windowStart, rollover }: BudgetClaim): Scope | undefined {
  return rollover && { owner, windowStart: rollover.from, windowEnd: windowStart };
}

function nameOf(scope: Scope): string {
  return `${scope.owner} ${windowName(scope)}`;
}
