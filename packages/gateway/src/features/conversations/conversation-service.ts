import { check } from "../../contract/check.ts";
import { type GatewayError, noStore, notFound } from "../../contract/errors.ts";
import type { Exchange, Reply } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { optionalJsonBody, parseJsonBody } from "../../contract/json-body.ts";
import { readPage } from "../../contract/paging.ts";
import { isAbsent } from "../../core/objects/choose-provider.ts";
import { governedJson, type Terms } from "../../core/objects/governed-call.ts";
import type { ResourceDeps } from "../../core/objects/resource-deps.ts";
import { checkMetadata } from "../../formats/metadata.ts";
import { ByteRoom } from "../../platform/transport/byte-room.ts";
import { itemPage } from "./item-page.ts";
import { inputItems } from "./items.ts";
import { addItems, createConversation, itemPaging, updateConversation } from "./schema.ts";
import type { ConversationStore } from "./store.ts";
import type { ConversationRow } from "./table.ts";

type Operation = (store: ConversationStore, row: ConversationRow, data: JsonObject) => Promise<JsonObject>;

interface ConversationDeps extends ResourceDeps {
  /** Absent without a persistent store. */
  readonly conversations: ConversationStore | undefined;
}

/** Conversations that responses on any model may read and continue. */
export class ConversationService {
  readonly #deps: ConversationDeps;

  constructor(deps: ConversationDeps) {
    this.#deps = deps;
  }

  async create(exchange: Exchange): Promise<Reply> {
    const body = await optionalJsonBody(exchange, createConversation);
    let made: string | undefined;
    const run = async (store: ConversationStore, data: JsonObject): Promise<JsonObject> => {
      const items = inputItems(check(createConversation, data).items);
      checkMetadata(data.metadata);
      const id = await this.#deps.ownership.create("conversation", exchange.principal, "portico");
      const metadata = JSON.stringify(data.metadata ?? {});
      const row = { id, created_at: Date.now(), metadata };
      made = id;
      await store.insert(row, items);
      return conversationObject(row);
    };
    const undo = async (): Promise<void> => {
      if (made !== undefined) await this.#remove(this.#deps.conversations!, made);
    };
    return this.#governed(exchange, body, run, { undo });
  }

  retrieve(exchange: Exchange): Promise<Reply> {
    return this.#withConversation(exchange, {}, async (_store, row) => conversationObject(row));
  }

  async update(exchange: Exchange): Promise<Reply> {
    const body = await parseJsonBody(exchange, updateConversation);
    return this.#withConversation(exchange, body, async (store, row, data) => {
      check(updateConversation, data);
      checkMetadata(data.metadata);
      const metadata = JSON.stringify(data.metadata ?? {});
      await store.setMetadata(row.id, metadata);
      return conversationObject({ ...row, metadata });
    });
  }

  delete(exchange: Exchange): Promise<Reply> {
    return this.#withConversation(exchange, {}, async (store, { id }) => {
      await this.#remove(store, id);
      return { id, object: "conversation.deleted", deleted: true };
    });
  }

  async #remove(store: ConversationStore, id: string): Promise<void> {
    await store.delete(id);
    await this.#deps.ownership.forget(id);
  }

  listItems(exchange: Exchange): Promise<Reply> {
    const page = readPage(itemPaging, exchange.query);
    return this.#withConversation(exchange, {}, async (store, { id }) =>
      itemPage(await store.items(id), page),
    );
  }

  async addItems(exchange: Exchange): Promise<Reply> {
    const body = await parseJsonBody(exchange, addItems);
    return this.#withConversation(exchange, body, async (store, { id }, data) => {
      const items = inputItems(check(addItems, data).items);
      await this.#requireRoom(store, id, items);
      await store.append(id, items);
      const ends = { first_id: items[0]!.id, last_id: items.at(-1)!.id };
      return { object: "list", data: items, ...ends, has_more: false };
    });
  }

  retrieveItem(exchange: Exchange): Promise<Reply> {
    const itemId = exchange.params.itemId!;
    return this.#withConversation(exchange, { item_id: itemId }, async (store, { id }, data) => {
      const sought = isAbsent(data.item_id) ? itemId : String(data.item_id);
      const item = (await store.items(id)).find((candidate) => candidate.id === sought);
      if (item === undefined) throw unknownItem(sought);
      return item;
    });
  }

  deleteItem(exchange: Exchange): Promise<Reply> {
    const itemId = exchange.params.itemId!;
    return this.#withConversation(exchange, { item_id: itemId }, async (store, row, data) => {
      const sought = isAbsent(data.item_id) ? itemId : String(data.item_id);
      if (!(await store.deleteItem(row.id, sought))) throw unknownItem(sought);
      return conversationObject(row);
    });
  }

  /** Whoever continues a conversation, or looks at some of its items, reads all of them. */
  async #requireRoom(store: ConversationStore, id: string, items: readonly JsonObject[]): Promise<void> {
    const limit = this.#deps.config.current.generalSettings.maxRequestSizeMb * 2 ** 20;
    const room = new ByteRoom(
      limit,
      (mebibytes) => `A conversation may have ${mebibytes} MiB; begin another one`,
    );
    room.take(await store.size(id));
    room.take(Buffer.byteLength(JSON.stringify(items)));
  }

  #withConversation(exchange: Exchange, body: JsonObject, run: Operation): Promise<Reply> {
    const given = exchange.params.conversationId!;
    return this.#governed(exchange, { ...body, conversation_id: given }, async (store, data) => {
      const id = isAbsent(data.conversation_id) ? given : String(data.conversation_id);
      const located = await this.#deps.ownership.locate("conversation", id, exchange.principal);
      const row = located.row === undefined ? undefined : await store.find(id);
      if (row === undefined) throw notFound(`Conversation with id '${id}' not found.`);
      return run(store, row, data);
    });
  }

  #governed(
    exchange: Exchange,
    data: JsonObject,
    run: (store: ConversationStore, data: JsonObject) => Promise<JsonObject>,
    terms: Terms = {},
  ): Promise<Reply> {
    const { conversations } = this.#deps;
    if (conversations === undefined) throw noStore();
    return governedJson(this.#deps, exchange, data, (changed) => run(conversations, changed), terms);
  }
}

function conversationObject({ id, created_at, metadata }: ConversationRow): JsonObject {
  const created = Math.floor(created_at / 1000);
  return { id, object: "conversation", created_at: created, metadata: JSON.parse(metadata) as JsonObject };
}

function unknownItem(id: string): GatewayError {
  return notFound(`Item with id '${id}' not found.`);
}
