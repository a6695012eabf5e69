import { describeError } from "../../platform/log/describe-error.ts";
import type { Logger } from "../../platform/log/logger.ts";
import { type CallSignal, LightSignal } from "../../util/light-signal.ts";

/**
 * Attempts that go on although nobody waits for their answer, because their provider bills the answer whether or not
 * anybody reads it; and the calls that are accounted when these end.
 */
export class LeftAttempts {
  readonly #logger: Logger;
  readonly #stop = new LightSignal();
  readonly #accounting = new Set<Promise<void>>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Aborted when the process ends. */
  get signal(): CallSignal {
    return this.#stop;
  }

  /** Runs to its end before the ledger is closed. */
  account(work: () => Promise<void>): void {
    const accounting = work()
      .catch((error: unknown) =>
        this.#logger.error({ error: describeError(error) }, "a call that was left was not accounted"),
      )
      .finally(() => this.#accounting.delete(accounting));
    this.#accounting.add(accounting);
  }

  /** Cuts the attempts and waits until their calls are accounted with what is known. */
  async close(): Promise<void> {
    this.#stop.abort(new Error("The gateway ends"));
    await Promise.all(this.#accounting);
  }
}
