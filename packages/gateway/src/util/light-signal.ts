/** What a call needs of an `AbortSignal`; every `AbortSignal` is one. */
export interface CallSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/**
 * Tells a call that its caller has left. Node's `AbortSignal` takes most of a microsecond to make and to listen to,
 * which nearly every call would spend for nothing; it is made for those who need one.
 */
export class LightSignal implements CallSignal {
  readonly #listeners: (() => void)[] = [];
  #controller: AbortController | undefined;
  #aborted = false;
  #reason: unknown;

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  /** The same as an `AbortSignal`. */
  get abortSignal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  addEventListener(_type: "abort", listener: () => void): void {
    if (!this.#aborted) this.#listeners.push(listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    const index = this.#listeners.lastIndexOf(listener);
    if (index === this.#listeners.length - 1) this.#listeners.pop();
    else if (index !== -1) this.#listeners.splice(index, 1);
  }

  /** Tells everybody who listens, once. */
  abort(reason: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
    for (const listener of this.#listeners.splice(0)) listener();
  }
}

/** The signal as those want it who know nothing but `AbortSignal`. */
export function toAbortSignal(signal: CallSignal): AbortSignal {
  return signal instanceof LightSignal ? signal.abortSignal : (signal as AbortSignal);
}
