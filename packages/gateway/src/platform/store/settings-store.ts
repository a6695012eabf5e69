import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Store } from "./schema.ts";

/** Values and counters that all replicas share. */
export class SettingsStore {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** A secret by name, made when it is first asked for; every replica gets the same. */
  async secret(name: string): Promise<string> {
    const { db } = this.#store;
    await db
      .insertInto("settings")
      .values({ name, value: randomBytes(32).toString("base64url") })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .execute();
    const row = await db
      .selectFrom("settings")
      .select("value")
      .where("name", "=", name)
      .executeTakeFirstOrThrow();
    return row.value;
  }

  /** How often a topic has changed. */
  async version(topic: string): Promise<number> {
    const row = await this.#store.db
      .selectFrom("versions")
      .select("version")
      .where("topic", "=", topic)
      .executeTakeFirst();
    return row?.version ?? 0;
  }
}

/** A number by name. */
export async function numberSetting(db: Store["db"], name: string): Promise<number | undefined> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst();
  return row && Number(row.value);
}

export async function setNumber(db: Store["db"], name: string, number: number): Promise<void> {
  const value = String(number);
  await db
    .insertInto("settings")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

/** Counts a change of a topic; part of the transaction that makes the change. */
export async function bumpVersion(db: Store["db"], topic: string): Promise<void> {
  await db
    .insertInto("versions")
    .values({ topic, version: 1 })
    .onConflict((conflict) =>
      conflict.column("topic").doUpdateSet({ version: sql<number>`versions.version + 1` }),
    )
    .execute();
}
