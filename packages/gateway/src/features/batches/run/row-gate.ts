/** Bytes of requests that run at once, so that rows of megabytes do not fill the memory. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Lets a bounded number of rows run at once in this process, fewer while interactive calls are running. */
export class RowGate {
  readonly #most: number;
  readonly #interactiveCalls: () => number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #bytes = 0;

  constructor(most: number, interactiveCalls: () => number) {
    this.#most = most;
    this.#interactiveCalls = interactiveCalls;
  }

  /** Runs the work when there is room for a request of so many bytes; a larger one than any room runs alone. */
  async run<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    while (!this.#hasRoom(bytes)) await new Promise<void>((go) => this.#waiting.push(go));
    this.#running += 1;
    this.#bytes += bytes;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#bytes -= bytes;
      // Whoever finds no room waits again; two may go, because there may be more room than before.
      this.#waiting.shift()?.();
      this.#waiting.shift()?.();
    }
  }

  #hasRoom(bytes: number): boolean {
    const most = Math.max(1, this.#most - 2 * this.#interactiveCalls());
    return this.#running < most && (this.#running === 0 || this.#bytes + bytes <= MAX_BYTES);
  }
}
