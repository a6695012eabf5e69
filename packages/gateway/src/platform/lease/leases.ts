import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../contract/json.ts";
import type { Store } from "../store/store.ts";
import type { LeaseRow } from "./table.ts";

/** A thing in somebody's hands. */
export interface Held {
  readonly name: string;
  readonly owner: string;
}

type Db = Store["db"];

/**
 * Leases on the things of one kind: one holder at a time, who renews while it works; from one that does not, another
 * takes over. A checkpoint says how far the work got and outlives its holder.
 */
export class Leases {
  readonly #kind: string;

  /** @param kind such as a queue's name */
  constructor(kind: string) {
    this.#kind = kind;
  }

  /** Gives things to a new holder, whoever had them before. The caller has made sure that nobody works on them. */
  async take(db: Db, names: readonly string[], aliveUntil: number): Promise<Map<string, LeaseRow>> {
    const rows = names.map((name) => ({
      kind: this.#kind,
      name,
      owner: randomUUID(),
      alive_until: aliveUntil,
      checkpoint: null,
    }));
    const taken = await db
      .insertInto("leases")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["kind", "name"]).doUpdateSet((set) => ({
          owner: set.ref("excluded.owner"),
          alive_until: set.ref("excluded.alive_until"),
        })),
      )
      .returningAll()
      .execute();
    return new Map(taken.map((row) => [row.name, row]));
  }

  /** Changes a lease that is still held. @returns whether it was */
  async change(
    db: Db,
    { name, owner }: Held,
    change: Partial<Pick<LeaseRow, "owner" | "alive_until" | "checkpoint">>,
  ): Promise<boolean> {
    const result = await db
      .updateTable("leases")
      .set(change)
      .where("kind", "=", this.#kind)
      .where("name", "=", name)
      .where("owner", "=", owner)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  /** Ends a lease that is still held; the checkpoint stays. @returns whether it was held */
  release(db: Db, held: Held): Promise<boolean> {
    return this.change(db, held, { owner: null, alive_until: null });
  }

  /** Things whose holders have not shown themselves in time. */
  async lost(db: Db, now: number): Promise<Held[]> {
    const rows = await db
      .selectFrom("leases")
      .select(["name", "owner"])
      .where("kind", "=", this.#kind)
      .where("alive_until", "<=", now)
      .execute();
    return rows.map(({ name, owner }) => ({ name, owner: owner! }));
  }

  /** Things that nobody has at the moment, at most so many. */
  async idle(db: Db, limit: number): Promise<string[]> {
    const rows = await db
      .selectFrom("leases")
      .select("name")
      .where("kind", "=", this.#kind)
      .where("alive_until", "is", null)
      .limit(limit)
      .execute();
    return rows.map(({ name }) => name);
  }

  async checkpointOf(db: Db, name: string): Promise<JsonObject | undefined> {
    const row = await db
      .selectFrom("leases")
      .select("checkpoint")
      .where("kind", "=", this.#kind)
      .where("name", "=", name)
      .executeTakeFirst();
    return readCheckpoint(row);
  }

  /** Forgets who has a thing and how far it got. */
  async forget(db: Db, name: string): Promise<void> {
    await db.deleteFrom("leases").where("kind", "=", this.#kind).where("name", "=", name).execute();
  }
}

/** How far the last holder of a lease got. */
export function readCheckpoint(row: Pick<LeaseRow, "checkpoint"> | undefined): JsonObject | undefined {
  const text = row?.checkpoint ?? null;
  return text === null ? undefined : (JSON.parse(text) as JsonObject);
}
