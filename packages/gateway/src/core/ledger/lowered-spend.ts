import type { Store } from "../../platform/store/schema.ts";

/** By how much the spend of one window was lowered, in US dollars. */
export interface LoweredSpend {
  readonly owner: string;
  /** Milliseconds since the epoch; `undefined` for what a key has spent in all. */
  readonly windowStart: number | undefined;
  readonly by: number;
}

/** Whose spend is lowered, and to what. */
export interface Lowering {
  /** The first names the spend in all; the others count under it, such as those for some models. */
  readonly owners: readonly [string, ...string[]];
  /** Keys have their spend in all in a table of their own. */
  readonly isKey: boolean;
  /** US dollars; windows with less keep what they have. */
  readonly to: number;
}

/** What was spent in all before, and what was lowered by how much. */
export interface Lowered {
  readonly previous: number;
  readonly lowered: readonly LoweredSpend[];
}

/**
 * Lowers what was spent in all and in every window of a budget. Rows of the spend log stay. What comes to the store
 * later counts from there on: calls that run keep their shares.
 * @param db the transaction of the change; its rows are locked in the order in which the writer of the spend log has them
 */
export async function lowerSpend(
  { kind }: Pick<Store, "kind">,
  db: Store["db"],
  { owners, isKey, to }: Lowering,
): Promise<Lowered> {
  const isShared = kind === "postgres";
  const windows = await db
    .selectFrom("budget_windows")
    .select(["key_hash", "window_start", "spend"])
    .where("key_hash", "in", owners)
    .orderBy("key_hash")
    .orderBy("window_start")
    .$if(isShared, (query) => query.forUpdate())
    .execute();
  const [owner] = owners;
  const key = isKey
    ? await db
        .selectFrom("key_spend")
        .select("spend")
        .where("key_hash", "=", owner)
        .$if(isShared, (query) => query.forUpdate())
        .executeTakeFirst()
    : undefined;
  const previous = isKey
    ? (key?.spend ?? 0)
    : (windows.find((each) => each.key_hash === owner && Number(each.window_start) === 0)?.spend ?? 0);
  const lowered: LoweredSpend[] = [];
  for (const { key_hash, window_start, spend } of windows) {
    if (spend <= to) continue;
    await db
      .updateTable("budget_windows")
      .set({ spend: to })
      .where("key_hash", "=", key_hash)
      .where("window_start", "=", window_start)
      .execute();
    lowered.push({ owner: key_hash, windowStart: Number(window_start), by: spend - to });
  }
  if (isKey && previous > to) {
    await db.updateTable("key_spend").set({ spend: to }).where("key_hash", "=", owner).execute();
    lowered.push({ owner, windowStart: undefined, by: previous - to });
  }
  return { previous, lowered };
}
