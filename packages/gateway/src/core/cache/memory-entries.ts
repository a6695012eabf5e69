import { LRUCache } from "lru-cache";
import type { EntryStore } from "./entry-store.ts";

/** Bytes that an entry takes beside its text. */
const OVERHEAD_BYTES = 300;
/** V8 keeps texts with characters beyond Latin-1 in two bytes each. */
const BYTES_PER_CHARACTER = 2;

/** Answers in this process, up to a number of bytes; those that were not used for the longest time go first. */
export class MemoryEntries implements EntryStore {
  readonly #entries: LRUCache<string, string>;

  constructor(maxBytes: number) {
    const sizeCalculation = (entry: string): number => entry.length * BYTES_PER_CHARACTER + OVERHEAD_BYTES;
    this.#entries = new LRUCache({ maxSize: maxBytes, maxEntrySize: maxBytes / 4, sizeCalculation });
  }

  async get(key: string): Promise<string | undefined> {
    return this.#entries.get(key);
  }

  async set(key: string, entry: string, ttl: number): Promise<void> {
    this.#entries.set(key, entry, { ttl: Math.max(1, Math.floor(ttl * 1000)) });
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.#entries.delete(key);
  }

  async clear(): Promise<void> {
    this.#entries.clear();
  }

  async ping(): Promise<void> {}

  async close(): Promise<void> {
    this.#entries.clear();
  }
}
