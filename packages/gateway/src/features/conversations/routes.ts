import type { Route } from "../../contract/exchange.ts";
import type { ConversationService } from "./conversation-service.ts";

const bases = ["/v1/conversations", "/conversations", "/openai/v1/conversations"];

/** Conversations and their items (OpenAI API reference: Conversations). */
export function conversationRoutes(service: ConversationService): Route[] {
  return bases.flatMap((base) => {
    const one = `${base}/:conversationId`;
    const item = `${one}/items/:itemId`;
    return [
      route("POST", base, "acreate_conversation", (exchange) => service.create(exchange)),
      route("GET", one, "aget_conversation", (exchange) => service.retrieve(exchange)),
      route("POST", one, "aupdate_conversation", (exchange) => service.update(exchange)),
      route("DELETE", one, "adelete_conversation", (exchange) => service.delete(exchange)),
      route("GET", `${one}/items`, "alist_conversation_items", (exchange) => service.listItems(exchange)),
      route("POST", `${one}/items`, "acreate_conversation_items", (exchange) => service.addItems(exchange)),
      route("GET", item, "aget_conversation_item", (exchange) => service.retrieveItem(exchange)),
      route("DELETE", item, "adelete_conversation_item", (exchange) => service.deleteItem(exchange)),
    ];
  });
}

function route(method: Route["method"], path: string, callType: string, handler: Route["handler"]): Route {
  return { method, path, access: "key", family: "openai", callType, handler };
}
