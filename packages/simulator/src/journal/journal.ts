import type { Received } from "./received.ts";

const MAX_ENTRIES = 20_000;
const MAX_BYTES = 128 * 1024 * 1024;
const MAX_BODY = 1024 * 1024;

/** The last requests, bounded in number and in the size of the bodies kept. */
export class Journal {
  /** Off for benchmarks: nothing is kept, only counters run. */
  enabled = true;
  #entries: Received[] = [];
  #bytes = 0;
  #sequence = 0;

  /** Sequence number for the next request. */
  nextSequence(): number {
    this.#sequence += 1;
    return this.#sequence;
  }

  add(entry: Received): void {
    if (this.enabled) this.#entries.push(entry);
    // Dropping a block at a time keeps the cost of one request constant.
    if (this.#entries.length >= MAX_ENTRIES + 1000) this.#drop(this.#entries.length - MAX_ENTRIES);
  }

  /** Accounts for a body that has just been read; a large one is not kept. */
  keepBody(entry: Received): void {
    if (!this.enabled || entry.bytes > MAX_BODY) {
      delete entry.body;
      return;
    }
    this.#bytes += entry.bytes;
    while (this.#bytes > MAX_BYTES && this.#entries.length > 1) {
      this.#drop(Math.ceil(this.#entries.length / 10));
    }
  }

  /** Entries of the wanted path start and with a sequence number above `since`, oldest first. */
  list(filter: { path?: string | undefined; since?: number | undefined } = {}): Received[] {
    const kept = this.#entries.slice(-MAX_ENTRIES);
    return kept.filter(
      (entry) =>
        (filter.path === undefined || entry.path.startsWith(filter.path)) &&
        (filter.since === undefined || entry.sequence > filter.since),
    );
  }

  clear(): void {
    this.#entries = [];
    this.#bytes = 0;
  }

  #drop(count: number): void {
    for (const entry of this.#entries.splice(0, count)) {
      if (entry.body !== undefined) this.#bytes -= entry.bytes;
    }
  }
}
