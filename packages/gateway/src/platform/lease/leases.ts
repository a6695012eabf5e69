import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../contract/json.ts";
import type { Store } from "../store/schema.ts";
import type { LeaseRow } from "./table.ts";

/** A thing in somebody's hands. */
export interface Held {
  readonly name: string;
  readonly owner: string;
}

export type HeldLease = LeaseRow & Held;

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

  /**
   * Gives things to a new holder, whoever had them before. The caller has made sure that nobody works on them.
   * @param unless a holder that keeps what it has while it is alive
   */
  async take(
    db: Db,
    names: readonly string[],
    aliveUntil: number,
    unless?: string,
  ): Promise<Map<string, HeldLease>> {
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
      .onConflict((conflict) => {
        const taken = conflict.columns(["kind", "name"]).doUpdateSet((set) => ({
          owner: set.ref("excluded.owner"),
          alive_until: set.ref("excluded.alive_until"),
        }));
        if (unless === undefined) return taken;
        return taken.where((where) =>
          where.or([
            where("leases.owner", "is", null),
            where("leases.owner", "!=", unless),
            where("leases.alive_until", "<=", Date.now()),
          ]),
        );
      })
      .returningAll()
      .$narrowType<Held>()
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

  /** Things whose holders have not shown themselves in time, the longest lost first; all of them, or so many. */
  lost(db: Db, now: number, limit?: number): Promise<HeldLease[]> {
    const lost = db
      .selectFrom("leases")
      .selectAll()
      .where("kind", "=", this.#kind)
      .where("alive_until", "<=", now)
      .orderBy("alive_until");
    return (limit === undefined ? lost : lost.limit(limit)).$narrowType<Held>().execute();
  }

  /** Takes a lost thing from its last holder. @returns whether nobody was faster, that holder included */
  async takeOver(db: Db, lost: HeldLease, owner: string, aliveUntil: number): Promise<boolean> {
    const result = await db
      .updateTable("leases")
      .set({ owner, alive_until: aliveUntil })
      .where("kind", "=", this.#kind)
      .where("name", "=", lost.name)
      .where("owner", "=", lost.owner)
      .where("alive_until", "=", lost.alive_until)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
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
