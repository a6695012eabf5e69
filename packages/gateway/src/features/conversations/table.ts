/** A list of items that responses read and continue. */
export interface ConversationRow {
  id: string;
  created_at: number;
  metadata: string;
}

/** One item of a conversation. */
export interface ConversationItemRow {
  conversation_id: string;
  /** Sorts items in the order in which they were added. */
  position: string;
  item_id: string;
  data: string;
}

export interface ConversationsSchema {
  conversations: ConversationRow;
  conversation_items: ConversationItemRow;
}

declare module "../../platform/store/schema.ts" {
  interface Schema extends ConversationsSchema {}
}
