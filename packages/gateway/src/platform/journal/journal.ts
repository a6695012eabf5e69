import { setTimeout as sleep } from "node:timers/promises";
import type { JournalEntry, JournalStore } from "./journal-store.ts";
import { JournalWriter } from "./journal-writer.ts";
import { LiveStream } from "./live-stream.ts";

/** How a reader follows a stream. */
export interface FollowOptions {
  /** Number of the last piece that the reader has; -1 for none. */
  readonly after: number;
  /** The reader leaves. */
  readonly signal: AbortSignal;
  /**
   * Asked while nothing new comes from elsewhere: whether the stream is dead. It may write the missing end first.
   */
  readonly isOver: () => Promise<boolean>;
}

const PIECES_AT_ONCE = 500;
/** Milliseconds between looks at a stream that another process writes. */
const POLL_MS = 100;

/**
 * Streams that survive whoever reads and writes them: each piece is durable before anybody gets it, and any replica
 * sends a stream again from any piece on, also while another one still writes it.
 */
export class Journal {
  readonly #store: JournalStore;
  readonly #live = new Map<string, LiveStream>();

  constructor(store: JournalStore) {
    this.#store = store;
  }

  /** Begins to write a stream; it must be closed. */
  open(streamId: string): JournalWriter {
    const live = new LiveStream();
    this.#live.set(streamId, live);
    return new JournalWriter(this.#store, streamId, live, () => {
      if (this.#live.get(streamId) === live) this.#live.delete(streamId);
    });
  }

  /** Adds pieces to a stream that nobody writes at the moment. */
  append(streamId: string, entries: readonly JournalEntry[]): Promise<void> {
    return this.#store.append(streamId, entries);
  }

  lastEntry(streamId: string): Promise<JournalEntry | undefined> {
    return this.#store.lastEntry(streamId);
  }

  delete(streamId: string, after?: number): Promise<void> {
    return this.#store.delete(streamId, after);
  }

  /** The stream's pieces in their order, to its last one. */
  async *follow(streamId: string, { after, signal, isOver }: FollowOptions): AsyncGenerator<string> {
    let at = after;
    while (!signal.aborted) {
      const live = this.#live.get(streamId);
      const entries = live?.after(at) ?? (await this.#store.read(streamId, at, PIECES_AT_ONCE));
      for (const entry of entries) {
        yield entry.data;
        at = entry.sequence;
        if (entry.last) return;
      }
      if (entries.length > 0) continue;
      if (live !== undefined && !live.closed) await live.changed(at, signal);
      else if (await isOver()) {
        // What was written between the last look and the end is still to be read.
        const rest = await this.#store.read(streamId, at, 1);
        if (rest.length === 0) return;
      } else await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
