import type { Exchange } from "../../http/exchange.ts";
import { json, type Reply } from "../../http/reply.ts";
import type { Route } from "../../http/route.ts";
import { seconds } from "../../util/clock.ts";
import { type JsonObject, objectOf, stringOf } from "../../util/json.ts";
import { notFound } from "../failures.ts";
import { pageOf, usualPages } from "../lists/page.ts";
import { inputItems } from "../responses/input-items.ts";
import type { ConversationStore, StoredConversation } from "./conversation-store.ts";

/** Create, retrieve, update and delete conversations, and list and add their items. */
export function conversationRoutes(store: ConversationStore): Route[] {
  const one = "/conversations/{id}";
  const found = (exchange: Exchange): StoredConversation => store.get(exchange.params.id ?? "");
  return [
    { method: "POST", pattern: "/conversations", handle: (exchange) => create(exchange, store) },
    { method: "GET", pattern: one, handle: (exchange) => json(shown(found(exchange))) },
    { method: "POST", pattern: one, handle: (exchange) => update(exchange, found(exchange)) },
    { method: "DELETE", pattern: one, handle: (exchange) => remove(exchange, store) },
    { method: "GET", pattern: `${one}/items`, handle: (exchange) => listItems(exchange, found(exchange)) },
    { method: "POST", pattern: `${one}/items`, handle: (exchange) => addItems(exchange, found(exchange)) },
    {
      method: "GET",
      pattern: `${one}/items/{item}`,
      handle: (exchange) => json(itemOf(exchange, found(exchange))),
    },
    {
      method: "DELETE",
      pattern: `${one}/items/{item}`,
      handle: (exchange) => removeItem(exchange, found(exchange)),
    },
  ];
}

function create(exchange: Exchange, store: ConversationStore): Reply {
  const { state, body, text } = exchange;
  const items = body.items === undefined || body.items === null ? [] : newItems(exchange);
  const conversation: StoredConversation = {
    id: state.ids.next("conv_", text, 48),
    created: seconds(state.clock),
    metadata: objectOf(body.metadata),
    items,
  };
  store.add(conversation);
  return json(shown(conversation));
}

function update(exchange: Exchange, conversation: StoredConversation): Reply {
  conversation.metadata = objectOf(exchange.body.metadata);
  return json(shown(conversation));
}

function remove(exchange: Exchange, store: ConversationStore): Reply {
  const id = exchange.params.id ?? "";
  store.delete(id);
  return json({ id, object: "conversation.deleted", deleted: true });
}

function listItems(exchange: Exchange, conversation: StoredConversation): Reply {
  return json(pageOf(conversation.items, (item) => stringOf(item.id) ?? "", exchange.query, usualPages));
}

function addItems(exchange: Exchange, conversation: StoredConversation): Reply {
  const items = newItems(exchange);
  conversation.items.push(...items);
  const ids = items.map((item) => stringOf(item.id) ?? null);
  return json({
    object: "list",
    data: items,
    first_id: ids[0] ?? null,
    last_id: ids.at(-1) ?? null,
    has_more: false,
  });
}

/** Throws 404 for an item that the conversation does not have. */
function itemOf({ params }: Exchange, { items }: StoredConversation): JsonObject {
  const item = items.find(({ id }) => id === params.item);
  if (item === undefined) throw notFound(`Item with id '${params.item}' not found.`, null);
  return item;
}

function removeItem(exchange: Exchange, conversation: StoredConversation): Reply {
  const item = itemOf(exchange, conversation);
  conversation.items = conversation.items.filter((each) => each !== item);
  return json(shown(conversation));
}

function newItems({ state, body, text }: Exchange) {
  return inputItems(body.items, (prefix) => state.ids.next(prefix, text, 48));
}

function shown({ id, created, metadata }: StoredConversation) {
  return { id, object: "conversation", created_at: created, metadata };
}
