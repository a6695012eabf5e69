import type { JournalEntry } from "./journal-store.ts";

/** Pieces that readers find without asking the database. */
const MAX_KEPT = 512;

/** A stream that this process writes: its last pieces, and a way to wait for the next. */
export class LiveStream {
  #tail: JournalEntry[] = [];
  #waiting: (() => void)[] = [];
  #failure: unknown;
  closed = false;

  /** Hands durable pieces to those who wait. */
  publish(entries: readonly JournalEntry[]): void {
    this.#tail.push(...entries);
    if (this.#tail.length > 2 * MAX_KEPT) this.#tail = this.#tail.slice(-MAX_KEPT);
    this.#wake();
  }

  /** Nothing more comes. */
  close(failure?: unknown): void {
    this.closed = true;
    this.#failure = failure;
    this.#wake();
  }

  /**
   * The pieces behind one; `undefined` when they are not all here any more.
   * @throws what broke the stream
   */
  after(sequence: number): readonly JournalEntry[] | undefined {
    if (this.#failure !== undefined) throw this.#failure;
    const first = this.#tail[0]?.sequence;
    if (first === undefined || first > sequence + 1) return undefined;
    return this.#tail.filter((entry) => entry.sequence > sequence);
  }

  /** Resolves when there is something behind that piece, or the reader leaves. */
  changed(sequence: number, signal: AbortSignal): Promise<void> {
    const last = this.#tail.at(-1)?.sequence ?? -1;
    if (signal.aborted || this.closed || last > sequence) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        signal.removeEventListener("abort", wake);
        resolve();
      };
      signal.addEventListener("abort", wake, { once: true });
      this.#waiting.push(wake);
    });
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}
