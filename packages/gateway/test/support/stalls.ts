/** Milliseconds between two ticks, and by how much a tick may be late without counting. */
const TICK = 20;
const USUAL = 10;

/** When a busy machine let this process wait, and for how long: processes beside it waited as well. */
export class Stalls {
  readonly #stalls: { readonly at: number; readonly ms: number }[] = [];
  #last = Date.now();
  readonly #timer = setInterval(() => {
    const now = Date.now();
    const late = now - this.#last - TICK;
    if (late > USUAL) this.#stalls.push({ at: now, ms: late });
    this.#last = now;
  }, TICK).unref();

  /** Milliseconds in which nothing ran, between two times since the epoch. */
  between(from: number, to: number): number {
    return this.#stalls.reduce((sum, { at, ms }) => {
      const overlap = Math.min(at, to) - Math.max(at - ms, from);
      return sum + Math.max(0, overlap);
    }, 0);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
