import type { CallSignal } from "../../util/light-signal.ts";
import type { Deadlines, Expiring } from "./deadlines.ts";
import { callAborted, connectionFailure, ProxyFailure, type TimeoutPhase, timedOut } from "./failures.ts";
import type { ResponseHeaders } from "./headers.ts";
import { type BodySource, ResponseBody } from "./response-body.ts";

/** What a call may do to its connection; without effect once its answer is complete. */
export interface CallController {
  pause(): void;
  resume(): void;
  /** Cuts the connection. */
  abort(reason: Error): void;
}

/** Hears how its call goes on its connection: in this order, with `onResponseError` at any time as the last. */
export interface CallHandler {
  /** The connection is there or being made. */
  onConnecting(controller: CallController): void;
  onRequestStart(controller: CallController): void;
  /** @param headers without those of the connection */
  onResponseStart(controller: CallController, status: number, headers: ResponseHeaders): void;
  onResponseData(controller: CallController, chunk: Buffer): void;
  onResponseEnd(controller: CallController): void;
  onResponseError(controller: CallController, error: Error): void;
}

/** A request as it goes out. */
export interface OutgoingRequest {
  /** From the request line to the empty line, in Latin-1. */
  readonly head: string;
  readonly body: Buffer | undefined;
  /** It may be sent once more where the server closed the kept connection on which it went out. */
  readonly isRepeatable: boolean;
}

/** What hears whether a request went out. */
export interface SentRecord {
  isSent: boolean;
}

/** Whoever makes a call. */
interface Caller {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: CallSignal | undefined;
  readonly record?: SentRecord | undefined;
}

/** Milliseconds; each is measured from the end of the phase before it, `whole` from the start. */
export interface CallTimeouts {
  readonly connect: number;
  readonly firstByte: number;
  readonly betweenChunks: number;
  readonly whole: number;
}

/** An upstream's answer: its head, and the body as it arrives, not decompressed. */
export interface UpstreamResponse {
  readonly status: number;
  /** End-to-end headers; names in lower case. */
  readonly headers: ResponseHeaders;
  readonly body: ResponseBody;
}

/**
 * Bytes of a body after which others have their turn. The kernel holds megabytes of an answer that comes fast, and Node
 * reads them one after the other; who reads a stream works on each of its events meanwhile.
 */
const MAX_TURN_BYTES = 65_536;

/** One request on a connection, ours or undici's: resolves with the head, feeds the body, holds the timeouts, obeys the signal. */
export class UpstreamCall implements BodySource, CallHandler, Expiring {
  expiresAt: number;
  watchedAt = 0;
  /** Until the answer has begun. */
  #resolve: ((response: UpstreamResponse) => void) | undefined;
  #reject: ((error: Error) => void) | undefined;
  readonly #timeouts: CallTimeouts;
  readonly #headers: Caller["headers"];
  readonly #signal: CallSignal | undefined;
  readonly #record: SentRecord | undefined;
  readonly #deadlines: Deadlines;
  readonly #wholeExpiresAt: number;
  #phase: TimeoutPhase = "connect";
  #controller: CallController | undefined;
  #body: ResponseBody | undefined;
  #failure: Error | undefined;
  #ended = false;
  /** Bytes of the body since others had their turn. */
  #turnBytes = 0;
  #givesWay = false;
  #isReaderBehind = false;

  constructor(
    timeouts: CallTimeouts,
    deadlines: Deadlines,
    { headers, signal, record }: Caller,
    resolve: (response: UpstreamResponse) => void,
    reject: (error: Error) => void,
  ) {
    this.#timeouts = timeouts;
    this.#headers = headers;
    this.#signal = signal;
    this.#record = record;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#deadlines = deadlines;
    const now = performance.now();
    this.#wholeExpiresAt = now + timeouts.whole;
    this.expiresAt = Math.min(this.#wholeExpiresAt, now + timeouts.connect);
    deadlines.watch(this);
    signal?.addEventListener("abort", this.#onAbort);
  }

  onConnecting(controller: CallController): void {
    this.#controller = controller;
    if (this.#phase === "connect") return;
    // Once more, on another connection.
    this.#phase = "connect";
    this.expiresAt = Math.min(this.#wholeExpiresAt, performance.now() + this.#timeouts.connect);
  }

  onRequestStart(controller: CallController): void {
    this.#controller = controller;
    if (this.#failure !== undefined) {
      controller.abort(this.#failure);
      return;
    }
    if (this.#record !== undefined) this.#record.isSent = true;
    this.#phase = "firstByte";
    this.expiresAt = Math.min(this.#wholeExpiresAt, performance.now() + this.#timeouts.firstByte);
  }

  onResponseStart(_controller: CallController, status: number, headers: ResponseHeaders): void {
    if (status === 407) {
      // It is between a proxy and the gateway: callers would look for a proxy of their own, or end without an answer.
      this.#fail(connectionFailure(new ProxyFailure("the proxy answered with status 407"), false));
      return;
    }
    const body = new ResponseBody(this, this.#headers);
    this.#body = body;
    // The first byte's deadline stays in force unless the body's is nearer.
    if (performance.now() + this.#timeouts.betweenChunks < this.expiresAt) this.#awaitChunk();
    this.#resolve?.({ status, headers, body });
    this.#resolve = undefined;
    this.#reject = undefined;
  }

  onResponseData(_controller: CallController, chunk: Buffer): void {
    this.#awaitChunk();
    this.#body?.push(chunk);
    this.#turnBytes += chunk.length;
    if (this.#turnBytes < MAX_TURN_BYTES || this.#givesWay || this.#ended) return;
    this.#givesWay = true;
    this.#controller?.pause();
    setImmediate(() => this.#onNextTurn());
  }

  #onNextTurn(): void {
    this.#turnBytes = 0;
    this.#givesWay = false;
    if (!this.#isReaderBehind && !this.#ended) this.#controller?.resume();
  }

  /** The body's reader is behind: how long it takes is not the upstream's fault. */
  pause(): void {
    this.expiresAt = this.#wholeExpiresAt;
    this.#isReaderBehind = true;
    this.#controller?.pause();
  }

  resume(): void {
    this.#awaitChunk();
    this.#isReaderBehind = false;
    if (!this.#givesWay) this.#controller?.resume();
  }

  /** Nobody reads the rest of the body. */
  abort(reason: Error): void {
    this.#fail(reason);
  }

  #awaitChunk(): void {
    this.#phase = "betweenChunks";
    this.expiresAt = Math.min(this.#wholeExpiresAt, performance.now() + this.#timeouts.betweenChunks);
  }

  onResponseEnd(): void {
    // What fails at its head may have its end in the same piece.
    if (this.#ended) return;
    this.#end();
    this.#body?.finish(undefined);
  }

  onResponseError(_controller: CallController, error: Error): void {
    this.#fail(connectionFailure(error, this.#body !== undefined));
  }

  readonly #onAbort = (): void => this.#fail(callAborted(this.#signal?.reason));

  /** Called when the deadline in force has passed. */
  expire(): void {
    this.#fail(timedOut(this.expiresAt === this.#wholeExpiresAt ? "whole" : this.#phase));
  }

  #fail(error: Error): void {
    if (this.#ended) return;
    this.#failure = error;
    this.#end();
    this.#controller?.abort(error);
    if (this.#body === undefined) this.#reject?.(error);
    else this.#body.finish(error);
  }

  #end(): void {
    this.#ended = true;
    this.#deadlines.forget(this);
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }
}
