import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import type { Store } from "../../platform/store/schema.ts";
import { numberSetting, setNumber } from "../../platform/store/settings-store.ts";
import { DAY_MS } from "../../util/day.ts";
import { exportedUntil } from "./spend-export-mark.ts";
import { KEPT_FROM, spendMarks } from "./spend-sums.ts";

/** How long rows of the spend log are kept; milliseconds. */
export interface Retention {
  /** Absent where they are kept for good. */
  readonly keep: number | undefined;
  readonly every: number;
  /** Each day is to be exported (`features/spend-export`): none goes before that. */
  readonly awaitsExport: boolean;
}

export function retentionOf({ generalSettings }: Pick<GatewayConfig, "generalSettings">): Retention {
  return {
    keep: generalSettings.maximumSpendLogsRetentionPeriod,
    every: generalSettings.maximumSpendLogsRetentionInterval ?? DAY_MS,
    awaitsExport: generalSettings.spendExport !== undefined,
  };
}

/** When the mark was moved last, in milliseconds since the epoch. */
const SWEPT_AT = "spend_rows_swept_at";

/** Rows of one statement: SQLite stops the process meanwhile. And statements of one round. */
const AT_ONCE = { sqlite: 200, postgres: 5000 } as const;
const STATEMENTS = 40;

/**
 * Removes rows that are older than they may be, a bounded number in a round; what they count for stays in the sums. First
 * the mark moves from which on rows are there, and they go in the rounds behind it: a report that began before has them,
 * and whoever is killed in between leaves nothing that is counted wrongly.
 * @returns whether there is more
 */
export async function removeOldRows(
  store: Store,
  { keep, every, awaitsExport }: Retention,
  signal: AbortSignal,
  now = Date.now(),
): Promise<boolean> {
  const { db } = store;
  if (keep === undefined) return false;
  const { summedFrom, keptFrom } = await spendMarks(db);
  // Days from before there were sums are read from their rows.
  if (summedFrom !== 0) return false;
  if (keptFrom > 0)
    for (let statement = 0; await removeSome(store, keptFrom); statement += 1) {
      if (statement === STATEMENTS || signal.aborted) return true;
      await nextTurn();
    }
  const exported = awaitsExport ? ((await exportedUntil(db)) ?? 0) * DAY_MS : now;
  const next = Math.min(now - keep, exported);
  const isDue = ((await numberSetting(db, SWEPT_AT)) ?? 0) + every <= now;
  if (!isDue || next <= keptFrom || !(await haveRows(db, next))) return false;
  await db.transaction().execute(async (within) => {
    await setNumber(within, KEPT_FROM, next);
    await setNumber(within, SWEPT_AT, now);
  });
  return true;
}

/** @returns whether there may be more */
async function removeSome({ kind, db }: Store, before: number): Promise<boolean> {
  // Whoever renews a key has its rows locked: these go in another round, so that nobody waits for anybody.
  const [place, locked] =
    kind === "postgres" ? [sql`ctid`, sql`for update skip locked`] : [sql`rowid`, sql``];
  const { numAffectedRows: removed = 0n } = await sql`
    delete from spend_logs where ${place} in (
      select ${place} from spend_logs where started_at < ${before} order by started_at
      limit ${AT_ONCE[kind]} ${locked}
    )`.execute(db);
  return removed === BigInt(AT_ONCE[kind]);
}

async function haveRows(db: Store["db"], before: number): Promise<boolean> {
  const row = await db.selectFrom("spend_logs").select("id").where("started_at", "<", before).limit(1);
  return (await row.executeTakeFirst()) !== undefined;
}
