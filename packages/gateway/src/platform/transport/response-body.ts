import { GatewayError } from "../../contract/errors.ts";
import { withoutSent } from "./sent-secrets.ts";

/** What the body needs of its connection. */
export interface BodySource {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

/** Bytes that may wait for a slow reader before the connection is paused. */
const HIGH_WATER_MARK = 65_536;

/**
 * An answer's body while it arrives. It is read once: chunk by chunk with back-pressure to the upstream, or whole.
 * Leaving the iteration early cuts the connection; so does `cancel`, which every body that is not read needs.
 */
export class ResponseBody implements AsyncIterable<Buffer>, AsyncIterator<Buffer> {
  readonly #source: BodySource;
  readonly #sentHeaders: Readonly<Record<string, string>>;
  #chunks: Buffer[] = [];
  #waiting = 0;
  #paused = false;
  #collecting = false;
  #done = false;
  #error: Error | undefined;
  #wake: (() => void) | undefined;

  /** @param sentHeaders those of the request that is answered */
  constructor(source: BodySource, sentHeaders: Readonly<Record<string, string>> = {}) {
    this.#source = source;
    this.#sentHeaders = sentHeaders;
  }

  /** A text of the answer for others to read, without the credentials of the request. */
  readable(text: string): string {
    return withoutSent(text, this.#sentHeaders);
  }

  [Symbol.asyncIterator](): AsyncIterator<Buffer> {
    return this;
  }

  /** The next chunk; rejects where the connection broke, after all that came before has been read. */
  next(): Promise<IteratorResult<Buffer>> {
    const ready = this.#take();
    if (ready !== undefined) return ready;
    return new Promise((resolve) => {
      this.#wake = () => resolve(this.#take()!);
    });
  }

  return(): Promise<IteratorResult<Buffer>> {
    this.cancel();
    return Promise.resolve({ done: true, value: undefined });
  }

  /**
   * The whole body.
   * @throws GatewayError 502 past `limit` bytes; the connection is cut then
   */
  bytes(limit: number): Promise<Buffer> {
    this.#collecting = true;
    if (this.#paused) this.#resume();
    if (this.#done) return this.#collected(limit);
    return new Promise((resolve) => {
      const onData = (): void => {
        if (this.#done || this.#waiting > limit) resolve(this.#collected(limit));
        else this.#wake = onData;
      };
      this.#wake = onData;
    });
  }

  #collected(limit: number): Promise<Buffer> {
    if (this.#waiting > limit) {
      this.cancel();
      return Promise.reject(tooLarge());
    }
    if (this.#error !== undefined) return Promise.reject(this.#error);
    const chunks = this.#chunks;
    this.#chunks = [];
    return Promise.resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
  }

  /**
   * As much of the body as fits into `limit` bytes, as text for others to read; a break or what lies beyond is left out.
   */
  async startOfText(limit: number): Promise<string> {
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of this) {
        chunks.push(chunk);
        size += chunk.length;
        if (size >= limit) break;
      }
    } catch {
      // What arrived before the break says more than nothing.
    }
    return this.readable(Buffer.concat(chunks).subarray(0, limit).toString("utf8"));
  }

  /** Gives up the rest: nothing more is read and the connection is cut. */
  cancel(): void {
    if (this.#done) return;
    this.finish(undefined);
    this.#chunks = [];
    this.#source.abort(new Error("The rest of the answer is not wanted."));
  }

  /** Called by the connection for each chunk. */
  push(chunk: Buffer): void {
    if (this.#done) return;
    this.#chunks.push(chunk);
    this.#waiting += chunk.length;
    if (!this.#collecting) {
      if (!this.#paused && this.#waiting >= HIGH_WATER_MARK && this.#wake === undefined) {
        this.#paused = true;
        this.#source.pause();
      }
      this.#notify();
    } else if (this.#waiting > HIGH_WATER_MARK) this.#notify();
  }

  /** Called by the connection at the body's end, with the error where it broke. */
  finish(error: Error | undefined): void {
    if (this.#done) return;
    this.#done = true;
    this.#error = error;
    this.#notify();
  }

  #take(): Promise<IteratorResult<Buffer>> | undefined {
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) {
      this.#waiting -= chunk.length;
      if (this.#paused && this.#waiting < HIGH_WATER_MARK / 2) this.#resume();
      return Promise.resolve({ done: false, value: chunk });
    }
    if (this.#error !== undefined) {
      const error = this.#error;
      this.#error = undefined;
      return Promise.reject(error);
    }
    return this.#done ? Promise.resolve({ done: true, value: undefined }) : undefined;
  }

  #resume(): void {
    this.#paused = false;
    this.#source.resume();
  }

  #notify(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}

export function tooLarge(): GatewayError {
  return new GatewayError(502, "api_error", "The provider's answer is larger than the gateway accepts.");
}
