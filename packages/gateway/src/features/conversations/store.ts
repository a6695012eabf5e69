import { sql } from "kysely";
import type { JsonObject } from "../../contract/json.ts";
import type { Store } from "../../platform/store/schema.ts";
import { orderedUuid } from "../../util/ordered-uuid.ts";
import { piecesOf } from "../../util/pieces.ts";
import type { ConversationRow } from "./table.ts";

/** Items that one statement inserts; databases limit its parameters. */
const ROWS_AT_ONCE = 200;

/** Conversations: lists of items that responses read and continue. */
export class ConversationStore {
  readonly #db: Store["db"];

  constructor(store: Store) {
    this.#db = store.db;
  }

  async insert(row: ConversationRow, items: readonly JsonObject[]): Promise<void> {
    await this.#db.transaction().execute(async (db) => {
      await db.insertInto("conversations").values(row).execute();
      await appendToConversation(db, row.id, items);
    });
  }

  find(id: string): Promise<ConversationRow | undefined> {
    return this.#db.selectFrom("conversations").selectAll().where("id", "=", id).executeTakeFirst();
  }

  async setMetadata(id: string, metadata: string): Promise<void> {
    await this.#db.updateTable("conversations").set({ metadata }).where("id", "=", id).execute();
  }

  /** All items, oldest first. */
  async items(id: string): Promise<JsonObject[]> {
    const rows = await this.#db
      .selectFrom("conversation_items")
      .select("data")
      .where("conversation_id", "=", id)
      .orderBy("position")
      .execute();
    return rows.map(({ data }) => JSON.parse(data) as JsonObject);
  }

  /** Bytes of all items. */
  async size(id: string): Promise<number> {
    const { size } = await this.#db
      .selectFrom("conversation_items")
      .select(bytesOf)
      .where("conversation_id", "=", id)
      .executeTakeFirstOrThrow();
    return Number(size);
  }

  append(id: string, items: readonly JsonObject[]): Promise<void> {
    return this.#db.transaction().execute((db) => appendToConversation(db, id, items));
  }

  async deleteItem(id: string, itemId: string): Promise<boolean> {
    const result = await this.#db
      .deleteFrom("conversation_items")
      .where("conversation_id", "=", id)
      .where("item_id", "=", itemId)
      .executeTakeFirst();
    return result.numDeletedRows > 0n;
  }

  async delete(id: string): Promise<void> {
    await this.#db.transaction().execute(async (db) => {
      await db.deleteFrom("conversations").where("id", "=", id).execute();
      await db.deleteFrom("conversation_items").where("conversation_id", "=", id).execute();
    });
  }
}

/** The bytes of the items that a statement selects; neither database reads these for it. */
export const bytesOf = sql<number | string | null>`coalesce(sum(octet_length(data)), 0)`.as("size");

/** Adds items behind those of a conversation. */
export async function appendToConversation(
  db: Store["db"],
  conversationId: string,
  items: readonly JsonObject[],
): Promise<void> {
  const rows = items.map((item) => ({
    conversation_id: conversationId,
    position: orderedUuid(),
    item_id: String(item.id),
    data: JSON.stringify(item),
  }));
  for (const some of piecesOf(rows, ROWS_AT_ONCE))
    await db.insertInto("conversation_items").values(some).execute();
}
