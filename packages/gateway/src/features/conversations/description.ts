import { answers, type GroupDescription, json, paging } from "../../contract/operation.ts";
import { deletion, list, object, page, text, whole } from "../../contract/schema.ts";

const item = object({ "type!": text(), id: text() });
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
      request: { ...json(object({ items: list(item), metadata: object() })), isOptional: true },
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
      request: json(object({ "metadata!": object() })),
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
      parameters: paging,
      answer: answers("A page of items.", page(item)),
      errors: missing,
    },
    {
      method: "POST",
      path: `${ONE}/items`,
      id: "createConversationItems",
      summary: "Add items to a conversation",
      request: json(object({ "items!": list(item) })),
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
