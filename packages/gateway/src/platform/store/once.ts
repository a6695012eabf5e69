import { sql } from "kysely";
import type { Store } from "./schema.ts";

/** Something that has happened and must not happen again. */
interface HappenedRow {
  name: string;
  /** Milliseconds since the epoch; from then on it cannot happen again for other reasons. */
  kept_until: number;
}

declare module "./schema.ts" {
  interface Schema {
    happened: HappenedRow;
  }
}

/**
 * Claims what may happen once, at whatever replica and after whatever restart.
 * @param name what happens
 * @param until milliseconds since the epoch at which it cannot happen any more
 * @param db the transaction of what happens: when that fails it has not happened
 * @returns whether it is the first time
 */
export async function happensOnce(db: Store["db"], name: string, until: number): Promise<boolean> {
  const result = await db
    .insertInto("happened")
    .values({ name, kept_until: until })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Whether it has happened, as far as can be seen now. */
export async function hasHappened(db: Store["db"], name: string): Promise<boolean> {
  const row = await db.selectFrom("happened").select("name").where("name", "=", name).executeTakeFirst();
  return row !== undefined;
}

/** Lets happen again what has such a name. */
export async function letHappenAgain(db: Store["db"], prefix: string): Promise<void> {
  await sql`delete from happened where substr(name, 1, ${prefix.length}) = ${prefix}`.execute(db);
}

/** Forgets what cannot happen again. @returns whether there may be more: never */
export async function forgetHappened({ db }: Store): Promise<boolean> {
  await db.deleteFrom("happened").where("kept_until", "<", Date.now()).execute();
  return false;
}
