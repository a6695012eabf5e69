import { Readable } from "node:stream";
import { Deadlines, type Expiring } from "../../platform/transport/deadlines.ts";
import type { CallerRequest } from "./http-exchange.ts";
import { incomplete, MIN_PACE, stalled } from "./read-body.ts";

/** Watches the uploads of all requests. */
const deadlines = new Deadlines();

/**
 * A request's body as a stream that breaks off with 408 when the sender stalls or trickles. Time in which the reader
 * does not ask for more is the reader's own.
 * @param timeout milliseconds without a chunk, and of waiting in all before the least pace counts
 */
export class PacedBody extends Readable implements Expiring {
  expiresAt = Number.POSITIVE_INFINITY;
  watchedAt = 0;
  readonly #request: CallerRequest;
  readonly #timeout: number;
  #received = 0;
  #waited = 0;
  #waitsSince: number | undefined;

  constructor(request: CallerRequest, timeout: number) {
    super();
    this.#request = request;
    this.#timeout = timeout;
    deadlines.watch(this);
    request.pause();
    request.on("data", this.#take).on("end", this.#end).on("error", this.#gone).on("close", this.#gone);
  }

  override _read(): void {
    if (this.#waitsSince !== undefined) return;
    this.#waitsSince = performance.now();
    const left = this.#timeout + (this.#received / MIN_PACE) * 1000 - this.#waited;
    this.expiresAt = this.#waitsSince + Math.min(this.#timeout, left);
    this.#request.resume();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    deadlines.forget(this);
    this.#request
      .off("data", this.#take)
      .off("end", this.#end)
      .off("error", this.#gone)
      .off("close", this.#gone);
    callback(error);
  }

  expire(): void {
    this.destroy(stalled());
  }

  readonly #take = (chunk: Buffer): void => {
    const now = performance.now();
    this.#waited += now - (this.#waitsSince ?? now);
    this.#waitsSince = undefined;
    this.expiresAt = Number.POSITIVE_INFINITY;
    this.#received += chunk.length;
    // The reader may ask for more within `push`.
    this.#request.pause();
    this.push(chunk);
  };

  readonly #end = (): void => {
    this.expiresAt = Number.POSITIVE_INFINITY;
    this.push(null);
  };

  readonly #gone = (): void => {
    if (!this.readableEnded && !this.#request.complete) this.destroy(incomplete());
  };
}
