import { answers, type GroupDescription, json } from "../../contract/operation.ts";
import { pageQuery } from "../../contract/paging.ts";
import { deletion, given, list, map, object, page, text, whole } from "../../contract/schema.ts";

/** Items that one request may add (OpenAI API reference, Conversations). */
const MAX_ITEMS = 20;

const item = object({ "type!": text(), id: text() });
/** An item as it is sent; without a type it is a message. */
const newItem = given({ type: text(), id: text() });
const newItems = list(newItem, "At most 20.", { maxItems: MAX_ITEMS });
const metadata = map(text(undefined, { maxLength: 512 }), "At most 16 texts under names of 64 characters.");

/** The body that creates a conversation. */
export const createConversation = given({ items: newItems, metadata });

/** The body that changes a conversation. */
export const updateConversation = given({ metadata });

/** The body that adds items. */
export const addItems = given({
  "items!": list(newItem, "1 to 20.", { minItems: 1, maxItems: MAX_ITEMS }),
});

/** The query of a list of items. */
export const itemPaging = pageQuery(100, 20);
export const itemQuery = object(itemPaging);
const conversation = object({
  "id!": text(),
  "object!": text("`conversation`"),
  "created_at!": whole(),
  metadata: object(),
});
const missing = { 404: { when: "There is no such conversation or item for this key." } };
const ONE = "/v1/conversations/{conversation_id}";

/** Conversations (OpenAI API reference: Conversations). */
export const conversationDescription: GroupDescription = {
  tag: "Conversations",
  about: "Lists of items that responses on any model read and continue.",
  operations: [
    {
      method: "POST",
      path: "/v1/conversations",
      id: "createConversation",
      summary: "Create a conversation",
      request: { ...json(createConversation), isOptional: true },
      answer: answers("The conversation.", conversation),
    },
    {
      method: "GET",
      path: ONE,
      id: "retrieveConversation",
      summary: "Retrieve a conversation",
      answer: answers("The conversation.", conversation),
      errors: missing,
    },
    {
      method: "POST",
      path: ONE,
      id: "updateConversation",
      summary: "Replace a conversation's metadata",
      request: json(updateConversation),
      answer: answers("The conversation.", conversation),
      errors: missing,
    },
    {
      method: "DELETE",
      path: ONE,
      id: "deleteConversation",
      summary: "Delete a conversation with its items",
      answer: answers("It is gone.", deletion("conversation.deleted")),
      errors: missing,
    },
    {
      method: "GET",
      path: `${ONE}/items`,
      id: "listConversationItems",
      summary: "List a conversation's items",
      query: itemQuery,
      answer: answers("A page of items.", page(item)),
      errors: missing,
    },
    {
      method: "POST",
      path: `${ONE}/items`,
      id: "createConversationItems",
      summary: "Add items to a conversation",
      request: json(addItems),
      answer: answers("The items.", page(item)),
      errors: missing,
    },
    {
      method: "GET",
      path: `${ONE}/items/{item_id}`,
      id: "retrieveConversationItem",
      summary: "Retrieve an item of a conversation",
      answer: answers("The item.", item),
      errors: missing,
    },
    {
      method: "DELETE",
      path: `${ONE}/items/{item_id}`,
      id: "deleteConversationItem",
      summary: "Remove an item from a conversation",
      answer: answers("The conversation.", conversation),
      errors: missing,
    },
  ],
};
