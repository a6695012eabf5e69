import type { JsonObject } from "../../contract/json.ts";
import type { Usage } from "../../contract/usage.ts";
import type { OnStreamEnd, StreamOutcome } from "../../formats/stream/stream-outcome.ts";
import type { ResponseHeaders } from "../../platform/transport/headers.ts";

/** A whole answer: the provider's own bytes, or an object that was translated. */
export interface WholeAnswer {
  readonly kind: "whole";
  readonly body: Buffer | JsonObject;
  readonly contentType: string;
  readonly usage: Usage | undefined;
  /** The upstream's headers. */
  readonly headers: ResponseHeaders;
}

/** A streamed answer in the caller's format, of which the first content has arrived. */
export interface StreamAnswer {
  readonly kind: "stream";
  readonly stream: AsyncIterableIterator<Uint8Array>;
  readonly end: StreamEnd;
  readonly headers: ResponseHeaders;
}

export type Answer = WholeAnswer | StreamAnswer;

/** Hands on how a stream ended to whoever is responsible at that moment: first the attempt, then the settlement. */
export class StreamEnd {
  #outcome: StreamOutcome | undefined;
  #listener: OnStreamEnd | undefined;

  get outcome(): StreamOutcome | undefined {
    return this.#outcome;
  }

  readonly report: OnStreamEnd = (outcome) => {
    this.#outcome = outcome;
    this.#listener?.(outcome);
  };

  /** Tells the listener at the end, or now when the stream is over already. */
  whenEnded(listener: OnStreamEnd): void {
    this.#listener = listener;
    if (this.#outcome !== undefined) listener(this.#outcome);
  }
}
