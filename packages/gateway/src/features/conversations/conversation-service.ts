import { GatewayError, invalidRequest, notFound } from "../../contract/errors.ts";
import type { Exchange, Reply } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { parseJsonBody, readJsonObject } from "../../contract/json-body.ts";
import { governedJson, type Terms } from "../../core/objects/governed-call.ts";
import type { ResourceDeps } from "../../core/objects/resource-deps.ts";
import { checkMetadata } from "../../formats/shared/check-metadata.ts";
import { itemPage } from "./item-page.ts";
import { inputItems } from "./items.ts";
import type { ConversationStore } from "./store.ts";
import type { ConversationRow } from "./table.ts";

/** Items that one request may add (OpenAI API reference, Conversations). */
const MAX_ITEMS = 20;

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
    const raw = await exchange.readBody();
    const body = raw.length === 0 ? {} : readJsonObject(raw);
    let made: string | undefined;
    const run = async (store: ConversationStore, data: JsonObject): Promise<JsonObject> => {
      const items = readItems(data.items);
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
    const body = await parseJsonBody(exchange);
    return this.#withConversation(exchange, body, async (store, row, data) => {
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
    return this.#withConversation(exchange, {}, async (store, { id }) =>
      itemPage(await store.items(id), exchange.query),
    );
  }

  async addItems(exchange: Exchange): Promise<Reply> {
    const body = await parseJsonBody(exchange);
    return this.#withConversation(exchange, body, async (store, { id }, data) => {
      const items = readItems(data.items);
      if (items.length === 0) throw invalidRequest("items must not be empty", "items");
      await store.append(id, items);
      const ends = { first_id: items[0]!.id, last_id: items.at(-1)!.id };
      return { object: "list", data: items, ...ends, has_more: false };
    });
  }

  retrieveItem(exchange: Exchange): Promise<Reply> {
    return this.#withConversation(exchange, {}, async (store, { id }) => {
      const items = await store.items(id);
      const item = items.find((candidate) => candidate.id === exchange.params.itemId);
      if (item === undefined) throw unknownItem(exchange);
      return item;
    });
  }

  deleteItem(exchange: Exchange): Promise<Reply> {
    return this.#withConversation(exchange, {}, async (store, row) => {
      if (!(await store.deleteItem(row.id, exchange.params.itemId!))) throw unknownItem(exchange);
      return conversationObject(row);
    });
  }

  #withConversation(exchange: Exchange, body: JsonObject, run: Operation): Promise<Reply> {
    const id = exchange.params.conversationId!;
    return this.#governed(exchange, { ...body, conversation_id: id }, async (store, data) => {
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
    if (conversations === undefined)
      throw new GatewayError(500, "api_error", "The persistent store is not initialised");
    return governedJson(this.#deps, exchange, data, (changed) => run(conversations, changed), terms);
  }
}

function readItems(value: unknown): JsonObject[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > MAX_ITEMS)
    throw invalidRequest(`items must be a list of at most ${MAX_ITEMS} items`, "items");
  return inputItems(value);
}

function conversationObject({ id, created_at, metadata }: ConversationRow): JsonObject {
  const created = Math.floor(created_at / 1000);
  return { id, object: "conversation", created_at: created, metadata: JSON.parse(metadata) as JsonObject };
}

function unknownItem({ params }: Exchange): GatewayError {
  return notFound(`Item with id '${params.itemId}' not found.`);
}
