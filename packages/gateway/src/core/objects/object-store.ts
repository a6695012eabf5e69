import type { SelectQueryBuilder } from "kysely";
import type { JsonObject } from "../../contract/json.ts";
import type { Schema, Store } from "../../platform/store/schema.ts";
import type { ObjectRow } from "./objects-table.ts";

/** Which page of a tenant's objects to read; newest first unless `order` says otherwise. */
export interface ObjectPage {
  readonly kind: string;
  /** Absent: every tenant's. */
  readonly tenant: string | undefined;
  /** What they were made under; absent: anything. */
  readonly provider?: string | undefined;
  readonly limit: number;
  readonly order?: "asc" | "desc";
  /** Go on behind this object. */
  readonly after?: Pick<ObjectRow, "created_at" | "id"> | undefined;
}

/** What the gateway knows of the objects it handed out ids for. */
export class ObjectStore {
  readonly #db: Store["db"];

  constructor(store: Store) {
    this.#db = store.db;
  }

  /** Remembers an object; one that is known already stays as it is. */
  async insert(row: ObjectRow, within = this.#db): Promise<void> {
    await within
      .insertInto("objects")
      .values(row)
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
  }

  find(id: string): Promise<ObjectRow | undefined> {
    return this.#db.selectFrom("objects").selectAll().where("id", "=", id).executeTakeFirst();
  }

  /** Objects by their ids at the providers, whoever owns them. */
  findByProviderIds(kind: string, providerIds: readonly string[]): Promise<ObjectRow[]> {
    if (providerIds.length === 0) return Promise.resolve([]);
    return this.#db
      .selectFrom("objects")
      .selectAll()
      .where("kind", "=", kind)
      .where("provider_id", "in", providerIds)
      .execute();
  }

  list(page: ObjectPage): Promise<ObjectRow[]> {
    return this.#page(page, this.#db.selectFrom("objects").where("kind", "=", page.kind));
  }

  /** Of the objects that only the gateway has, a page. */
  listOwn(page: ObjectPage): Promise<ObjectRow[]> {
    const own = this.#db.selectFrom("objects").where("kind", "=", page.kind).where("provider_id", "is", null);
    return this.#page(page, own);
  }

  #page(page: ObjectPage, from: SelectQueryBuilder<Schema, "objects", object>): Promise<ObjectRow[]> {
    const order = page.order ?? "desc";
    let query = from.selectAll();
    const { tenant, provider, after } = page;
    if (tenant !== undefined) query = query.where("tenant", "=", tenant);
    if (provider !== undefined) query = query.where("provider", "=", provider);
    if (after !== undefined) {
      const beyond = order === "desc" ? "<" : ">";
      query = query.where((where) =>
        where.or([
          where("created_at", beyond, after.created_at),
          where.and([where("created_at", "=", after.created_at), where("id", beyond, after.id)]),
        ]),
      );
    }
    return query.orderBy("created_at", order).orderBy("id", order).limit(page.limit).execute();
  }

  async update(
    id: string,
    change: Pick<Partial<ObjectRow>, "data" | "expires_at" | "provider_id">,
  ): Promise<void> {
    await this.#db.updateTable("objects").set(change).where("id", "=", id).execute();
  }

  /** Adds members to what is kept with an object, whoever else changes it at the same moment. */
  async addData(id: string, members: JsonObject): Promise<void> {
    for (;;) {
      const row = await this.find(id);
      if (row === undefined) return;
      const data = JSON.stringify({ ...(JSON.parse(row.data) as JsonObject), ...members });
      const { numUpdatedRows } = await this.#db
        .updateTable("objects")
        .set({ data })
        .where("id", "=", id)
        .where("data", "=", row.data)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) return;
    }
  }

  /** Of the objects that only the gateway has, some whose time is over, the oldest first. */
  expired(kind: string, now: number, limit: number): Promise<ObjectRow[]> {
    return this.#db
      .selectFrom("objects")
      .selectAll()
      .where("kind", "=", kind)
      .where("expires_at", "<=", now)
      .where("provider_id", "is", null)
      .orderBy("expires_at")
      .limit(limit)
      .execute();
  }

  /** @returns whether it was there */
  async delete(id: string): Promise<boolean> {
    const result = await this.#db.deleteFrom("objects").where("id", "=", id).executeTakeFirst();
    return result.numDeletedRows > 0n;
  }
}
