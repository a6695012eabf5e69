import type { JournalEntry, JournalStore } from "./journal-store.ts";
import type { LiveStream } from "./live-stream.ts";

/** Pieces that may wait for the database before the writer has to. */
const MAX_PENDING = 256;

/** Writes one stream: what comes while the database works is written together with the next piece. */
export class JournalWriter {
  readonly #store: JournalStore;
  readonly #streamId: string;
  readonly #live: LiveStream;
  readonly #onClose: () => void;
  #pending: JournalEntry[] = [];
  #flushing: Promise<void> | undefined;

  constructor(store: JournalStore, streamId: string, live: LiveStream, onClose: () => void) {
    this.#store = store;
    this.#streamId = streamId;
    this.#live = live;
    this.#onClose = onClose;
  }

  /** Adds a piece; resolves when another may come. */
  async write(entry: JournalEntry): Promise<void> {
    this.#pending.push(entry);
    const flushing = this.#flush();
    if (this.#pending.length > MAX_PENDING) await flushing;
  }

  /** Tells readers of a piece that was stored together with something else, after all pieces before it. */
  announce(entry: JournalEntry): void {
    this.#live.publish([entry]);
  }

  /** Resolves when everything is durable and readers were told. */
  async flushed(): Promise<void> {
    while (this.#pending.length > 0 || this.#flushing !== undefined) await this.#flush();
  }

  /** Ends the writing, with everything written or with what broke it. */
  async close(failure?: unknown): Promise<void> {
    try {
      if (failure === undefined) await this.flushed();
    } catch (error) {
      this.#live.close(error);
      this.#onClose();
      throw error;
    }
    this.#live.close(failure);
    this.#onClose();
  }

  #flush(): Promise<void> {
    this.#flushing ??= this.#run().finally(() => {
      this.#flushing = undefined;
    });
    // A failure reaches whoever waits for the end.
    this.#flushing.catch(() => undefined);
    return this.#flushing;
  }

  async #run(): Promise<void> {
    // The rest of this turn's pieces go along.
    await Promise.resolve();
    while (this.#pending.length > 0) {
      const entries = this.#pending;
      this.#pending = [];
      try {
        await this.#store.append(this.#streamId, entries);
      } catch (error) {
        this.#pending = [...entries, ...this.#pending];
        throw error;
      }
      this.#live.publish(entries);
    }
  }
}
