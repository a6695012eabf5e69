/** Milliseconds until it is told again that something fails still. */
const AGAIN_AFTER = 60_000;
/** Reasons that are told apart. */
const MAX_REASONS = 10;

/**
 * Something that is tried every second or so until it succeeds, such as to reach a server that is away. Its failure is told
 * at once, and then once a minute, so that the log has room for what else happens.
 */
export class Recurring {
  readonly #toldAt = new Map<string, number>();

  /**
   * It failed.
   * @param reason another one is news
   * @returns whether to tell
   */
  failed(reason = ""): boolean {
    const now = performance.now();
    const name = this.#toldAt.size < MAX_REASONS || this.#toldAt.has(reason) ? reason : "";
    if (now - (this.#toldAt.get(name) ?? Number.NEGATIVE_INFINITY) < AGAIN_AFTER) return false;
    this.#toldAt.set(name, now);
    return true;
  }

  /** It succeeded. @returns whether its failure was told, so that its end is news too */
  ended(): boolean {
    const wasTold = this.#toldAt.size > 0;
    this.#toldAt.clear();
    return wasTold;
  }
}
