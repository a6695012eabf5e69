/** Past the end of any list, with room for the threads that still count on from it. */
const STOPPED = 1 << 30;

/** A number that threads take turns from: each index is given out once. */
export class SharedCounter {
  readonly buffer: SharedArrayBuffer;
  readonly #cells: Int32Array;

  /** @param buffer a counter made in another thread; without it, a new one that starts at 0. */
  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.buffer = buffer;
    this.#cells = new Int32Array(buffer);
  }

  /** The next index, or `undefined` after the end. */
  take(end: number): number | undefined {
    const index = Atomics.add(this.#cells, 0, 1);
    return index < end ? index : undefined;
  }

  /** Lets no thread take another index. */
  stop(): void {
    Atomics.store(this.#cells, 0, STOPPED);
  }

  get isStopped(): boolean {
    return Atomics.load(this.#cells, 0) >= STOPPED;
  }
}
