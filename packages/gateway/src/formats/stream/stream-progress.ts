import type { StreamOutcome } from "./stream-outcome.ts";

/** How far a stream has come, for whoever is responsible at that moment: first the attempt, then the settlement. */
export class StreamProgress {
  /** The model has begun to answer, or has ended. */
  hasContent = false;
  #outcome: StreamOutcome | undefined;
  #listener: ((outcome: StreamOutcome) => void) | undefined;

  get outcome(): StreamOutcome | undefined {
    return this.#outcome;
  }

  /** Called exactly once, when the stream is over for whatever reason. */
  readonly onEnd = (outcome: StreamOutcome): void => {
    this.#outcome = outcome;
    this.#listener?.(outcome);
  };

  readonly onContent = (): void => {
    this.hasContent = true;
  };

  /** Tells the listener at the end, or now when the stream is over already. */
  whenEnded(listener: (outcome: StreamOutcome) => void): void {
    this.#listener = listener;
    if (this.#outcome !== undefined) listener(this.#outcome);
  }
}
