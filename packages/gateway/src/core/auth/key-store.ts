import { bumpVersion, SettingsStore } from "../../platform/store/settings-store.ts";
import type { Store } from "../../platform/store/store.ts";
import type { KeyRow } from "./keys-table.ts";

const TOPIC = "keys";

/** Which keys a list shows. */
export interface KeyFilter {
  readonly userId?: string;
  readonly teamId?: string;
  readonly keyAlias?: string;
}

/** The gateway keys in the store. Every change is counted, so that replicas forget what they remember of keys. */
export class KeyStore {
  readonly #store: Store;
  readonly #settings: SettingsStore;

  constructor(store: Store) {
    this.#store = store;
    this.#settings = new SettingsStore(store);
  }

  /** How often any key has changed. */
  version(): Promise<number> {
    return this.#settings.version(TOPIC);
  }

  find(keyHash: string): Promise<KeyRow | undefined> {
    return this.#store.db
      .selectFrom("gateway_keys")
      .selectAll()
      .where("key_hash", "=", keyHash)
      .executeTakeFirst();
  }

  findByAlias(alias: string): Promise<KeyRow | undefined> {
    return this.#store.db
      .selectFrom("gateway_keys")
      .selectAll()
      .where("key_alias", "=", alias)
      .executeTakeFirst();
  }

  /** Newest first. */
  async list(filter: KeyFilter, offset: number, limit: number): Promise<{ rows: KeyRow[]; total: number }> {
    let query = this.#store.db.selectFrom("gateway_keys");
    if (filter.userId !== undefined) query = query.where("user_id", "=", filter.userId);
    if (filter.teamId !== undefined) query = query.where("team_id", "=", filter.teamId);
    if (filter.keyAlias !== undefined) query = query.where("key_alias", "=", filter.keyAlias);
    const { total } = await query
      .select((expression) => expression.fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow();
    const rows = await query
      .selectAll()
      .orderBy("created_at", "desc")
      .orderBy("key_hash")
      .offset(offset)
      .limit(limit)
      .execute();
    return { rows, total: Number(total) };
  }

  async insert(row: KeyRow): Promise<void> {
    await this.#change(async (db) => {
      await db.insertInto("gateway_keys").values(row).execute();
      return 1;
    });
  }

  /** @returns whether there was such a key */
  async update(keyHash: string, change: Partial<KeyRow>): Promise<boolean> {
    const changed = await this.#change(async (db) => {
      const result = await db
        .updateTable("gateway_keys")
        .set(change)
        .where("key_hash", "=", keyHash)
        .executeTakeFirst();
      return Number(result.numUpdatedRows);
    });
    return changed > 0;
  }

  /** Puts a key in another one's place, with the spend of the old one. */
  async replace(oldHash: string, row: KeyRow): Promise<void> {
    await this.#change(async (db) => {
      await db.deleteFrom("gateway_keys").where("key_hash", "=", oldHash).execute();
      await db.insertInto("gateway_keys").values(row).execute();
      const moved = { key_hash: row.key_hash };
      await db.updateTable("key_spend").set(moved).where("key_hash", "=", oldHash).execute();
      await db.updateTable("budget_windows").set(moved).where("key_hash", "=", oldHash).execute();
      await db.updateTable("spend_logs").set(moved).where("key_hash", "=", oldHash).execute();
      return 1;
    });
  }

  /** @returns the hashes of the keys that existed */
  async delete(keyHashes: readonly string[]): Promise<string[]> {
    let deleted: string[] = [];
    await this.#change(async (db) => {
      const rows = await db
        .deleteFrom("gateway_keys")
        .where("key_hash", "in", keyHashes)
        .returning("key_hash")
        .execute();
      deleted = rows.map((row) => row.key_hash);
      return deleted.length;
    });
    return deleted;
  }

  #change(work: (db: Store["db"]) => Promise<number>): Promise<number> {
    return this.#store.db.transaction().execute(async (transaction) => {
      const changed = await work(transaction);
      if (changed > 0) await bumpVersion(transaction, TOPIC);
      return changed;
    });
  }
}
