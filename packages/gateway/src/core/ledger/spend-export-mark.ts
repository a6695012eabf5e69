import { sql } from "kysely";
import type { Store } from "../../platform/store/schema.ts";
import { numberSetting } from "../../platform/store/settings-store.ts";
import { firstWholeDay, spendMarks } from "./spend-sums.ts";

const NAME = "spend_exported_until";

/** The first day (since the epoch) that is not exported; `undefined` where none was. */
export function exportedUntil(db: Store["db"]): Promise<number | undefined> {
  return numberSetting(db, NAME);
}

/** Says that the next day is exported, unless one before it is to be exported again. */
export async function markExported(db: Store["db"], day: number): Promise<void> {
  const value = String(day + 1);
  await db
    .insertInto("settings")
    .values({ name: NAME, value })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet({ value }).where("settings.value", "=", String(day)),
    )
    .execute();
}

/** A row has come late for a day: it is exported again with those behind it, where all its rows are there. */
export async function exportAgain(db: Store["db"], day: number): Promise<void> {
  if (day < firstWholeDay(await spendMarks(db))) return;
  await sql`update settings set value = ${String(day)} where name = ${NAME} and cast(value as integer) > ${day}`.execute(
    db,
  );
}
