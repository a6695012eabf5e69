import { asText, type JsonObject } from "../../../contract/json.ts";
import { type JournalEntry, journalRow } from "../../../platform/journal/journal-store.ts";
import type { Store } from "../../../platform/store/schema.ts";
import { SharedCommit } from "../../../platform/store/shared-commit.ts";
import { withoutDiskWait } from "../../../platform/store/without-disk-wait.ts";
import { piecesOf } from "../../../util/pieces.ts";
import { appendToConversation, bytesOf } from "../../conversations/store.ts";
import type { ResponseItemRow, ResponseRow } from "./table.ts";

/** The items that belong to a response. */
export interface ResponseItems {
  readonly input: readonly JsonObject[];
  readonly output: readonly JsonObject[];
}

/** An item that was found by its id. */
export interface FoundItem {
  readonly item: JsonObject;
  /** Bytes that it takes. */
  readonly size: number;
  /** Id of the deployment whose provider keeps it too. */
  readonly knownAt: string | undefined;
}

/** A response in a chain of such, each of which continues the one before it. */
type ChainLink = Pick<ResponseRow, "id" | "previous_id">;

/** What changes when a response gets on. */
export type ResponseChange = Partial<
  Pick<ResponseRow, "status" | "answer" | "alive_until" | "job" | "provider_id" | "deployment_id">
>;

const ROWS_AT_ONCE = 200;

/** Responses and their items; what is saved here is there for the next request on any replica. */
export class ResponseStore {
  readonly #store: Store;
  readonly #db: Store["db"];
  readonly #commits: SharedCommit;

  constructor(store: Store) {
    this.#store = store;
    this.#db = store.db;
    this.#commits = new SharedCommit(store);
  }

  find(id: string): Promise<ResponseRow | undefined> {
    return this.#db.selectFrom("responses").selectAll().where("id", "=", id).executeTakeFirst();
  }

  /** Responses by their ids at the providers, whoever owns them. */
  async findByProviderIds(providerIds: readonly string[]): Promise<ResponseRow[]> {
    if (providerIds.length === 0) return [];
    return this.#db
      .selectFrom("responses")
      .selectAll()
      .where("provider_id", "in", [...providerIds])
      .orderBy("created_at", "desc")
      .execute();
  }

  /**
   * Adds a response with the input that it was made from.
   * @param also what is written together with it, all or nothing
   */
  async insert(
    row: ResponseRow,
    input: readonly JsonObject[],
    also?: (db: Store["db"]) => Promise<void>,
  ): Promise<void> {
    await this.#commits.run(async (db) => {
      await insertBegun(db, row, input);
      await also?.(db);
    });
  }

  /** As `insert`, for one whose loss would be noticed when it ends: it need not be on the disk yet. */
  async insertRunning(row: ResponseRow, input: readonly JsonObject[]): Promise<void> {
    await withoutDiskWait(this.#store, (db) =>
      db.transaction().execute((transaction) => insertBegun(transaction, row, input)),
    );
  }

  /** Adds a response that has ended, with everything that belongs to it. */
  async insertFinished(row: ResponseRow, items: ResponseItems): Promise<void> {
    await this.#commits.run(async (db) => {
      await insertRow(db, row);
      await insertItems(db, row.id, "input", items.input);
      await finishItems(db, row, items);
    });
  }

  /**
   * The end of a response: its last state, its output and its last event, all or nothing. Only one in none of the
   * states `endings` can end.
   * @returns whether it ended now
   */
  async finish(
    row: ResponseRow,
    items: ResponseItems,
    endings: readonly string[],
    lastEvent?: JournalEntry,
  ): Promise<boolean> {
    return this.#commits.run(async (db) => {
      const { status, answer, deployment_id, provider_id } = row;
      const result = await db
        .updateTable("responses")
        .set({ status, answer, deployment_id, provider_id, alive_until: null, job: null })
        .where("id", "=", row.id)
        .where("status", "not in", [...endings])
        .executeTakeFirst();
      if (result.numUpdatedRows === 0n) return false;
      await finishItems(db, row, items);
      if (lastEvent !== undefined)
        await db.insertInto("journal_entries").values(journalRow(row.id, lastEvent)).execute();
      return true;
    });
  }

  /** @returns whether it was there and in none of the states `unless` */
  async update(id: string, change: ResponseChange, unless: readonly string[] = []): Promise<boolean> {
    const result = await withoutDiskWait(this.#store, (db) => {
      const query = db.updateTable("responses").set(change).where("id", "=", id);
      return (unless.length === 0 ? query : query.where("status", "not in", [...unless])).executeTakeFirst();
    });
    return result.numUpdatedRows > 0n;
  }

  /** The items of one response in one direction, in their order. */
  async items(id: string, direction: ResponseItemRow["direction"]): Promise<JsonObject[]> {
    const rows = await this.#db
      .selectFrom("response_items")
      .select("data")
      .where("response_id", "=", id)
      .where("direction", "=", direction)
      .orderBy("position")
      .execute();
    return rows.map(({ data }) => JSON.parse(data) as JsonObject);
  }

  /** A response and those before it, oldest first; a link that is gone ends the list. */
  async chain(id: string): Promise<ChainLink[]> {
    const rows = await this.#db
      .withRecursive("chain", (db) =>
        db
          .selectFrom("responses")
          .select(["responses.id", "responses.previous_id"])
          .where("responses.id", "=", id)
          .unionAll((union) =>
            union
              .selectFrom("responses")
              .innerJoin("chain", "chain.previous_id", "responses.id")
              .select(["responses.id", "responses.previous_id"]),
          ),
      )
      .selectFrom("chain")
      .selectAll()
      .execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    const chain: ChainLink[] = [];
    for (let row = byId.get(id); row !== undefined; row = byId.get(row.previous_id ?? "")) chain.unshift(row);
    return chain;
  }

  /** Bytes of all items of these responses. */
  async size(ids: readonly string[]): Promise<number> {
    let bytes = 0;
    for (const some of piecesOf(ids, ROWS_AT_ONCE)) {
      const { size } = await this.#db
        .selectFrom("response_items")
        .select(bytesOf)
        .where("response_id", "in", some)
        .executeTakeFirstOrThrow();
      bytes += Number(size);
    }
    return bytes;
  }

  /** All items of these responses, in their order: input before output. */
  async itemsOf(ids: readonly string[]): Promise<ReadonlyMap<string, ResponseItems>> {
    const found = new Map<string, { input: JsonObject[]; output: JsonObject[] }>();
    for (const some of piecesOf(ids, ROWS_AT_ONCE)) {
      const rows = await this.#db
        .selectFrom("response_items")
        .selectAll()
        .where("response_id", "in", some)
        .orderBy("position")
        .execute();
      for (const row of rows) {
        const items = found.get(row.response_id) ?? { input: [], output: [] };
        items[row.direction].push(JSON.parse(row.data) as JsonObject);
        found.set(row.response_id, items);
      }
    }
    return found;
  }

  /** An item that a tenant may refer to by its id: rather one that was made for it than one that it wrote itself. */
  async findItem(tenant: string, itemId: string): Promise<FoundItem | undefined> {
    const row = await this.#db
      .selectFrom("response_items")
      .innerJoin("responses", "responses.id", "response_items.response_id")
      .select(["response_items.data", "responses.provider_id", "responses.deployment_id"])
      .where("response_items.item_id", "=", itemId)
      .where("responses.tenant", "=", tenant)
      .orderBy("response_items.direction", "desc")
      .limit(1)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const knownAt = row.provider_id === null ? undefined : (row.deployment_id ?? undefined);
    return { item: JSON.parse(row.data) as JsonObject, size: Buffer.byteLength(row.data), knownAt };
  }

  /**
   * The tenants whose items these are: those for whom they were made, or else who wrote them. Whoever writes another
   * one's id into an input has not got the item thereby.
   */
  async tenantsOfItems(itemIds: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const made = new Map<string, Set<string>>();
    const written = new Map<string, Set<string>>();
    for (const some of piecesOf(itemIds, ROWS_AT_ONCE)) {
      const rows = await this.#db
        .selectFrom("response_items")
        .innerJoin("responses", "responses.id", "response_items.response_id")
        .select(["response_items.item_id", "responses.tenant", "response_items.direction"])
        .distinct()
        .where("response_items.item_id", "in", some)
        .execute();
      for (const { item_id, tenant, direction } of rows) {
        const tenants = direction === "output" ? made : written;
        tenants.set(item_id, (tenants.get(item_id) ?? new Set()).add(tenant));
      }
    }
    return new Map([...written, ...made]);
  }

  /** Keeps a chain at least as long as its newest member. */
  async prolong(ids: readonly string[], expiresAt: number): Promise<void> {
    await withoutDiskWait(this.#store, (db) =>
      db
        .updateTable("responses")
        .set({ expires_at: expiresAt })
        .where("id", "in", [...ids])
        .where("expires_at", "is not", null)
        .execute(),
    );
  }

  /** Removes a response with its items and its journal. */
  async delete(id: string): Promise<void> {
    await this.#db.transaction().execute((db) => deleteAll(db, [id]));
  }

  /** Removes responses whose time is over, at most so many. @returns how many */
  async removeExpired(now: number, limit: number): Promise<number> {
    return this.#db.transaction().execute(async (db) => {
      const rows = await db
        .selectFrom("responses")
        .select("id")
        .where("expires_at", "<=", now)
        .limit(limit)
        .execute();
      if (rows.length > 0)
        await deleteAll(
          db,
          rows.map(({ id }) => id),
        );
      return rows.length;
    });
  }
}

async function insertBegun(db: Store["db"], row: ResponseRow, input: readonly JsonObject[]): Promise<void> {
  await insertRow(db, row);
  await insertItems(db, row.id, "input", input);
}

/** A provider that uses an id again means a new response; the old one is gone there. */
async function insertRow(db: Store["db"], row: ResponseRow): Promise<void> {
  const result = await db
    .insertInto("responses")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  if ((result.numInsertedOrUpdatedRows ?? 0n) > 0n) return;
  await deleteAll(db, [row.id]);
  await db.insertInto("responses").values(row).execute();
}

async function deleteAll(db: Store["db"], ids: readonly string[]): Promise<void> {
  await db.deleteFrom("responses").where("id", "in", ids).execute();
  await db.deleteFrom("response_items").where("response_id", "in", ids).execute();
  await db.deleteFrom("journal_entries").where("stream_id", "in", ids).execute();
}

async function finishItems(db: Store["db"], row: ResponseRow, items: ResponseItems): Promise<void> {
  await insertItems(db, row.id, "output", items.output);
  if (row.conversation_id !== null)
    await appendToConversation(db, row.conversation_id, [...items.input, ...items.output]);
}

async function insertItems(
  db: Store["db"],
  responseId: string,
  direction: ResponseItemRow["direction"],
  items: readonly JsonObject[],
): Promise<void> {
  const rows = items.map((item, position) => ({
    response_id: responseId,
    position,
    direction,
    item_id: asText(item.id ?? ""),
    data: JSON.stringify(item),
  }));
  for (const some of piecesOf(rows, ROWS_AT_ONCE))
    await db.insertInto("response_items").values(some).execute();
}
