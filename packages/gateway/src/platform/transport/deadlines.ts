/** Milliseconds between two looks at the clock. */
const DEFAULT_PRECISION = 25;

/** Something that gives up when its time is over. */
export interface Expiring {
  /** Milliseconds of `performance.now()`; `Infinity` while there is none. */
  readonly expiresAt: number;
  /** Where `Deadlines` keeps it; nobody else's business. */
  watchedAt: number;
  expire(): void;
}

/**
 * Watches the deadlines of all running calls with one timer: a call's deadlines change several times and hardly ever
 * pass, so that a timer for each would cost more than looking at all of them now and then.
 */
export class Deadlines {
  /**
   * Not a `Set`: each of its tables refers to the one that replaced it, so that a single old table keeps all calls
   * since then from being collected young.
   */
  readonly #watched: Expiring[] = [];
  readonly #precision: number;
  readonly #keepsProcess: boolean;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param precision milliseconds by which a deadline may be passed
   * @param keepsProcess whether the process stays alive while something is watched
   */
  constructor({ precision = DEFAULT_PRECISION, keepsProcess = false } = {}) {
    this.#precision = precision;
    this.#keepsProcess = keepsProcess;
  }

  watch(call: Expiring): void {
    call.watchedAt = this.#watched.push(call) - 1;
    this.#timer ??= this.#start();
  }

  forget(call: Expiring): void {
    const last = this.#watched.pop()!;
    if (last === call) return;
    this.#watched[call.watchedAt] = last;
    last.watchedAt = call.watchedAt;
  }

  #start(): NodeJS.Timeout {
    const timer = setInterval(() => this.#look(), this.#precision);
    return this.#keepsProcess ? timer : timer.unref();
  }

  #look(): void {
    if (this.#watched.length === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    const now = performance.now();
    for (const call of this.#watched.filter(({ expiresAt }) => expiresAt <= now)) call.expire();
  }
}
