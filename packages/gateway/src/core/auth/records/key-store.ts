import { sql } from "kysely";
import { countedPage } from "../../../platform/store/counted-page.ts";
import type { Store } from "../../../platform/store/schema.ts";
import { SettingsStore } from "../../../platform/store/settings-store.ts";
import { type Change, type Changer, change, GOVERNANCE_TOPIC } from "./change.ts";
import { namesBudget } from "./entity-store.ts";
import type { KeyRow } from "./keys-table.ts";

/** Which keys a list shows. */
export interface KeyFilter {
  readonly userId?: string;
  readonly teamId?: string;
  readonly organizationId?: string;
  readonly keyAlias?: string;
  readonly keyHash?: string;
  readonly hasAlias?: boolean;
  /** Only keys of these, of any of them; absent shows all. */
  readonly within?: KeyScope;
}

/** Keys that somebody may see: those of a user, of teams and of organizations. */
export interface KeyScope {
  readonly keyHash?: string | undefined;
  readonly userId: string | undefined;
  readonly teamIds: readonly string[];
  readonly organizationIds: readonly string[];
  /** What the user's keys must belong to; `null` is none. */
  readonly bound?: {
    readonly teamId?: string | null | undefined;
    readonly organizationId?: string | null | undefined;
  };
}

/** The gateway keys in the store. Every change is counted, so that replicas forget what they remember of keys. */
export class KeyStore {
  readonly #store: Store;
  readonly #settings: SettingsStore;

  constructor(store: Store) {
    this.#store = store;
    this.#settings = new SettingsStore(store);
  }

  get kind(): Store["kind"] {
    return this.#store.kind;
  }

  /** How often any key, or anything above keys, has changed. */
  version(): Promise<number> {
    return this.#settings.version(GOVERNANCE_TOPIC);
  }

  find(keyHash: string, db = this.#store.db): Promise<KeyRow | undefined> {
    return db.selectFrom("gateway_keys").selectAll().where("key_hash", "=", keyHash).executeTakeFirst();
  }

  findByAlias(alias: string, db = this.#store.db): Promise<KeyRow | undefined> {
    return db.selectFrom("gateway_keys").selectAll().where("key_alias", "=", alias).executeTakeFirst();
  }

  /** A key that names a budget. */
  findByBudget(budgetId: string, db = this.#store.db): Promise<KeyRow | undefined> {
    const query = db.selectFrom("gateway_keys").selectAll();
    return query.where(namesBudget(this.#store, budgetId)).executeTakeFirst();
  }

  /** The key that a renewed one became, and until when the old text is accepted for it. */
  async findRenewed(oldHash: string): Promise<{ row: KeyRow; until: number } | undefined> {
    const { db } = this.#store;
    const renewed = await db
      .selectFrom("renewed_keys")
      .selectAll()
      .where("old_hash", "=", oldHash)
      .where("revoked_at", ">", Date.now())
      .executeTakeFirst();
    const row = renewed && (await this.find(renewed.key_hash));
    return row && { row, until: renewed.revoked_at };
  }

  /** The hash of what a renewed key is now, also long after its old text was accepted. */
  async renewedTo(oldHash: string): Promise<string | undefined> {
    const renewed = this.#store.db.selectFrom("renewed_keys").select("key_hash");
    return (await renewed.where("old_hash", "=", oldHash).executeTakeFirst())?.key_hash;
  }

  /** Newest first. */
  list(filter: KeyFilter, offset: number, limit: number): Promise<{ rows: KeyRow[]; total: number }> {
    const found = this.#filtered(filter).selectAll().orderBy("created_at", "desc").orderBy("key_hash");
    return countedPage(found, offset, limit);
  }

  /** Those that have spent most, the most first, with what each has spent in US dollars. */
  async listBySpend(filter: KeyFilter, limit: number): Promise<{ row: KeyRow; spend: number }[]> {
    // Hashes first: whole rows of all keys are no small thing to sort.
    const most = this.#filtered(filter)
      .leftJoin("key_spend", "key_spend.key_hash", "gateway_keys.key_hash")
      .select(["gateway_keys.key_hash", sql<number>`coalesce(key_spend.spend, 0)`.as("spent")])
      .orderBy("spent", "desc")
      .orderBy("gateway_keys.key_hash")
      .limit(limit);
    const rows = await this.#store.db
      .selectFrom(most.as("most"))
      .innerJoin("gateway_keys", "gateway_keys.key_hash", "most.key_hash")
      .selectAll("gateway_keys")
      .select("most.spent")
      .orderBy("spent", "desc")
      .orderBy("gateway_keys.key_hash")
      .execute();
    return rows.map(({ spent, ...row }) => ({ row, spend: spent }));
  }

  /** @see change */
  change<T>(changer: Changer, work: (change: Change) => Promise<T>): Promise<T> {
    return change(this.#store, changer, work);
  }

  #filtered(filter: KeyFilter) {
    let query = this.#store.db.selectFrom("gateway_keys");
    if (filter.userId !== undefined) query = query.where("user_id", "=", filter.userId);
    if (filter.teamId !== undefined) query = query.where("team_id", "=", filter.teamId);
    if (filter.organizationId !== undefined)
      query = query.where("organization_id", "=", filter.organizationId);
    if (filter.keyAlias !== undefined) query = query.where("key_alias", "=", filter.keyAlias);
    if (filter.keyHash !== undefined) query = query.where("gateway_keys.key_hash", "=", filter.keyHash);
    if (filter.hasAlias === true) query = query.where("key_alias", "is not", null);
    const { within } = filter;
    if (within !== undefined)
      query = query.where(({ or, and, eb }) =>
        or([
          ...(within.keyHash === undefined ? [] : [eb("gateway_keys.key_hash", "=", within.keyHash)]),
          ...(within.userId === undefined
            ? []
            : [
                and([
                  eb("user_id", "=", within.userId),
                  ...(["teamId", "organizationId"] as const).flatMap((name) => {
                    const id = within.bound?.[name];
                    const column = name === "teamId" ? "team_id" : "organization_id";
                    return id === undefined ? [] : [eb(column, id === null ? "is" : "=", id)];
                  }),
                ]),
              ]),
          ...(within.teamIds.length === 0 ? [] : [eb("team_id", "in", within.teamIds)]),
          ...(within.organizationIds.length === 0
            ? []
            : [eb("organization_id", "in", within.organizationIds)]),
        ]),
      );
    return query;
  }
}
