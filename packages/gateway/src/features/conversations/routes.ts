import { keyRoute } from "../../contract/exchange.ts";
import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import type { Platform } from "../../platform/open-platform.ts";
import { ConversationService } from "./conversation-service.ts";
import { conversationDescription } from "./schema.ts";
import { ConversationStore } from "./store.ts";

const bases = ["/v1/conversations", "/conversations", "/openai/v1/conversations"];

/** Conversations, and the store from which responses continue them. */
export interface Conversations extends Feature {
  /** Absent without a persistent store. */
  readonly store: ConversationStore | undefined;
}

/** Conversations and their items (OpenAI API reference: Conversations). */
export function openConversations({ resources }: Core, { store }: Platform): Conversations {
  const conversations = store && new ConversationStore(store);
  const service = new ConversationService({ ...resources, conversations });
  const routes = bases.flatMap((base) => {
    const one = `${base}/:conversationId`;
    const item = `${one}/items/:itemId`;
    return [
      keyRoute("POST", base, "acreate_conversation", (exchange) => service.create(exchange)),
      keyRoute("GET", one, "aget_conversation", (exchange) => service.retrieve(exchange)),
      keyRoute("POST", one, "aupdate_conversation", (exchange) => service.update(exchange)),
      keyRoute("DELETE", one, "adelete_conversation", (exchange) => service.delete(exchange)),
      keyRoute("GET", `${one}/items`, "alist_conversation_items", (exchange) => service.listItems(exchange)),
      keyRoute("POST", `${one}/items`, "acreate_conversation_items", (exchange) =>
        service.addItems(exchange),
      ),
      keyRoute("GET", item, "aget_conversation_item", (exchange) => service.retrieveItem(exchange)),
      keyRoute("DELETE", item, "adelete_conversation_item", (exchange) => service.deleteItem(exchange)),
    ];
  });
  return { routes, descriptions: [conversationDescription], store: conversations };
}
