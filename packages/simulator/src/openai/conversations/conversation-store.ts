import type { JsonObject } from "../../util/json.ts";
import { notFound } from "../failures.ts";

/** A conversation kept at the provider: its items grow with every response that names it. */
export interface StoredConversation {
  readonly id: string;
  readonly created: number;
  metadata: JsonObject;
  items: JsonObject[];
}

/** The conversations of one account. */
export class ConversationStore {
  #conversations = new Map<string, StoredConversation>();

  add(conversation: StoredConversation): void {
    this.#conversations.set(conversation.id, conversation);
  }

  /** Throws 404 for one that does not exist. */
  get(id: string): StoredConversation {
    const found = this.#conversations.get(id);
    if (found === undefined) throw notFound(`Conversation with id '${id}' not found.`, null);
    return found;
  }

  delete(id: string): void {
    this.get(id);
    this.#conversations.delete(id);
  }

  clear(): void {
    this.#conversations.clear();
  }
}
