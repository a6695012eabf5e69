import { LRUCache } from "lru-cache";
import { isJsonObject, type JsonObject } from "../../../contract/json.ts";

/** Responses that a connection remembers; the protocol wants its last one, and a client may go on from an earlier one. */
const MAX_REMEMBERED = 4;
/** Bytes that all connections together remember; those of who was silent longest go first. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Bytes that an entry takes beside its conversation. */
const ENTRY_BYTES = 200;

/** A conversation up to the end of a response. */
export interface RememberedConversation {
  /** The JSON text of its items, without the brackets around them. */
  readonly items: Buffer;
  /** The stored response that comes before them. */
  readonly base: string | undefined;
}

/**
 * The conversations of connections whose responses nobody stores (`store: false`). They last as long as their
 * connection.
 */
export class SocketMemories {
  readonly #items = new LRUCache<string, RememberedConversation>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ items }) => items.length + ENTRY_BYTES,
  });
  #opened = 0;

  /** What one connection remembers. @param maxBytes largest conversation */
  open(maxBytes: number): SocketMemory {
    this.#opened += 1;
    return new SocketMemory(this.#items, `${this.#opened} `, maxBytes);
  }
}

/** What one connection remembers. */
export class SocketMemory {
  readonly #items: LRUCache<string, RememberedConversation>;
  readonly #prefix: string;
  readonly #maxBytes: number;
  #ids: string[] = [];

  constructor(items: LRUCache<string, RememberedConversation>, prefix: string, maxBytes: number) {
    this.#items = items;
    this.#prefix = prefix;
    this.#maxBytes = maxBytes;
  }

  /** The conversation up to the end of a response; `undefined` for one that is not remembered. */
  find(id: string): RememberedConversation | undefined {
    return this.#ids.includes(id) ? this.#items.get(this.#prefix + id) : undefined;
  }

  /** Keeps a conversation; one that is too long to be sent in a request is not. */
  keep(id: string, conversation: RememberedConversation): void {
    this.#forget(id);
    if (conversation.items.length > this.#maxBytes) return;
    this.#items.set(this.#prefix + id, conversation);
    this.#ids.push(id);
    while (this.#ids.length > MAX_REMEMBERED) this.#forget(this.#ids[0]!);
  }

  clear(): void {
    for (const id of [...this.#ids]) this.#forget(id);
  }

  #forget(id: string): void {
    this.#ids = this.#ids.filter((known) => known !== id);
    this.#items.delete(this.#prefix + id);
  }
}

/**
 * The items of an answer as input of the next request, as a client of `store: false` sends them back: without
 * reasoning that nobody can read there, and without the ids of items that nobody kept.
 */
export function rememberedOutput(output: readonly unknown[]): JsonObject[] {
  return output.filter(isJsonObject).flatMap((item): JsonObject[] => {
    if (item.type === "reasoning") return typeof item.encrypted_content === "string" ? [item] : [];
    if (item.type === "compaction") return [item];
    const { id, status, ...rest } = item;
    const isPlain = item.type === "message" || /^(?:function|custom_tool)_call$/.test(String(item.type));
    return [isPlain ? rest : item];
  });
}

/** The list's items as text without the brackets, `undefined` for any other text. */
export function itemsOfList(json: Buffer): Buffer | undefined {
  const text = json.toString("utf8").trim();
  return text.startsWith("[") && text.endsWith("]") ? Buffer.from(text.slice(1, -1).trim()) : undefined;
}

/** Both lists of items in one. */
export function joinItems(...lists: readonly Buffer[]): Buffer {
  const filled = lists.filter(({ length }) => length > 0);
  return Buffer.concat(filled.flatMap((list, index) => (index === 0 ? [list] : [COMMA, list])));
}

const COMMA = Buffer.from(",");
