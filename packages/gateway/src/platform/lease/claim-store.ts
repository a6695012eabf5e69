import type { Kysely } from "kysely";
import type { Schema, Store } from "../store/schema.ts";

/** Columns of a row that one of several processes works on. Times are milliseconds since the epoch. */
export interface Claim {
  id: string;
  /** Tells the process that works on it from later ones. */
  owner: string;
  /** Until then the owner counts as alive, unless it shows itself again. */
  alive_until: number;
  expires_at: number;
}

/** The tables whose rows are claimed. */
type ClaimTable = { [Table in keyof Schema]: Schema[Table] extends Claim ? Table : never }[keyof Schema];
type Db = Kysely<{ claims: Claim }>;

/** Runs writes on a connection that was made ready for them. */
export type RunWrites = <T>(run: (db: Store["db"]) => Promise<T>) => Promise<T>;

/**
 * Work that several processes may want at the same moment, and exactly one gets. Its owner shows now and then that it is
 * alive; from one that does not, another takes the work over. As `Leases`, with the lease in the row that it protects:
 * one statement checks the owner and changes the row (docs/decisions/2026-11-22-queue.md).
 */
export class ClaimStore<Row extends Claim> {
  readonly #db: Db;
  readonly #table: "claims";
  readonly #often: <T>(run: (db: Db) => Promise<T>) => Promise<T>;

  /**
   * @param table has a primary key `id`
   * @param often runs what happens with every piece of work, `claim` and `update`
   */
  constructor(store: Store, table: ClaimTable, often: RunWrites = (run) => run(store.db)) {
    // What is done here is the same for all of these tables, so the compiler sees one that has what they share.
    this.#table = table as unknown as "claims";
    this.#db = store.db as unknown as Db;
    this.#often = (run) => often((db) => run(db as unknown as Db));
  }

  /** @returns whether there was none with this id */
  async claim(row: Row): Promise<boolean> {
    const result = await this.#often((db) =>
      db
        .insertInto(this.#table)
        .values(row)
        .onConflict((conflict) => conflict.column("id").doNothing())
        .executeTakeFirst(),
    );
    return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  find(id: string): Promise<Row | undefined> {
    const found = this.#db.selectFrom(this.#table).selectAll().where("id", "=", id).executeTakeFirst();
    return found as Promise<Row | undefined>;
  }

  /** Takes over from an owner that is not alive any more. @returns whether it worked */
  async takeOver(row: Row, from: Claim): Promise<boolean> {
    const { id, ...change } = row;
    const result = await this.#db
      .updateTable(this.#table)
      .set(change)
      .where("id", "=", id)
      .where("owner", "=", from.owner)
      .where("alive_until", "=", from.alive_until)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  /** Changes what this owner still has. @returns whether it still had it */
  async update({ id, owner }: Claim, change: Partial<Omit<Row, "id" | "owner">>): Promise<boolean> {
    const result = await this.#often((db) =>
      db
        .updateTable(this.#table)
        .set(change as Partial<Claim>)
        .where("id", "=", id)
        .where("owner", "=", owner)
        .executeTakeFirst(),
    );
    return result.numUpdatedRows > 0n;
  }

  async delete({ id, owner }: Claim): Promise<void> {
    await this.#db.deleteFrom(this.#table).where("id", "=", id).where("owner", "=", owner).execute();
  }

  /** Shows that the owner is alive until `aliveMs` from now, again and again. @returns ends that */
  keepAlive(claim: Claim, aliveMs: number): () => void {
    const alive = (): { alive_until: number } => ({ alive_until: Date.now() + aliveMs });
    const renew = (): void => void this.update(claim, alive() as Partial<Row>).catch(() => undefined);
    const heartbeat = setInterval(renew, aliveMs / 3);
    return () => clearInterval(heartbeat);
  }
}
