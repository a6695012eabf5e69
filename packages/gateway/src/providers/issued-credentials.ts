/** Credentials as somebody gave them out. */
export interface Issued<T> {
  readonly credentials: T;
  /** Their end in milliseconds since the epoch; those without one are not kept. */
  readonly expiresAt: number | undefined;
}

/** Milliseconds before their end at which credentials are no longer used. */
const RESERVE = 120_000;
const MAX_KEPT = 100;

interface Asking<T> {
  readonly answer: Promise<T>;
  readonly signal: AbortSignal | undefined;
}

/**
 * Credentials that are given out for a time: asked for once by all calls of the same moment, and kept until shortly
 * before their end.
 */
export class IssuedCredentials<T> {
  readonly #kept = new Map<string, Issued<T>>();
  readonly #asking = new Map<string, Asking<T>>();

  /**
   * @param name tells these credentials from others
   * @param signal of the call that wants them: when the one that asks is given up, the next one that waits asks
   * @throws what `ask` throws
   */
  async get(name: string, signal: AbortSignal | undefined, ask: () => Promise<Issued<T>>): Promise<T> {
    for (;;) {
      const kept = this.#kept.get(name);
      if (kept?.expiresAt !== undefined && kept.expiresAt - RESERVE > Date.now()) return kept.credentials;
      const asking = this.#asking.get(name);
      if (asking === undefined) return this.#ask(name, signal, ask);
      try {
        return await asking.answer;
      } catch (failure) {
        if (signal?.aborted === true || asking.signal?.aborted !== true) throw failure;
      }
    }
  }

  #ask(name: string, signal: AbortSignal | undefined, ask: () => Promise<Issued<T>>): Promise<T> {
    const answer = this.#issue(name, ask).finally(() => this.#asking.delete(name));
    this.#asking.set(name, { answer, signal });
    return answer;
  }

  async #issue(name: string, ask: () => Promise<Issued<T>>): Promise<T> {
    const issued = await ask();
    if (issued.expiresAt !== undefined) {
      if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
      this.#kept.set(name, issued);
    }
    return issued.credentials;
  }
}
