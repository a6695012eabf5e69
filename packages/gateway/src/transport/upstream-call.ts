import type { Dispatcher } from "undici";
import type { Deadlines, Expiring } from "./deadlines.ts";
import { callAborted, connectionFailure, type TimeoutPhase, timedOut } from "./failures.ts";
import type { CallController, CallHandler } from "./h1/call-handler.ts";
import { endToEnd, type ResponseHeaders } from "./headers.ts";
import { ResponseBody } from "./response-body.ts";

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

/** One request on a connection, ours or undici's: resolves with the head, feeds the body, holds the timeouts, obeys the signal. */
export class UpstreamCall implements CallHandler, Dispatcher.DispatchHandler, Expiring {
  expiresAt: number;
  watchedAt = 0;
  readonly #resolve: (response: UpstreamResponse) => void;
  readonly #reject: (error: Error) => void;
  readonly #timeouts: CallTimeouts;
  readonly #signal: AbortSignal | undefined;
  readonly #deadlines: Deadlines;
  readonly #wholeExpiresAt: number;
  #phase: TimeoutPhase = "connect";
  #controller: CallController | undefined;
  #body: ResponseBody | undefined;
  #failure: Error | undefined;
  #ended = false;

  constructor(
    timeouts: CallTimeouts,
    deadlines: Deadlines,
    signal: AbortSignal | undefined,
    resolve: (response: UpstreamResponse) => void,
    reject: (error: Error) => void,
  ) {
    this.#timeouts = timeouts;
    this.#signal = signal;
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
  }

  onRequestStart(controller: CallController): void {
    this.#controller = controller;
    if (this.#failure !== undefined) {
      controller.abort(this.#failure);
      return;
    }
    this.#phase = "firstByte";
    this.expiresAt = Math.min(this.#wholeExpiresAt, performance.now() + this.#timeouts.firstByte);
  }

  onResponseStart(controller: CallController, status: number, headers: ResponseHeaders): void {
    if (status < 200) return;
    const body = new ResponseBody({
      pause: () => {
        this.expiresAt = this.#wholeExpiresAt;
        controller.pause();
      },
      resume: () => {
        this.#awaitChunk();
        controller.resume();
      },
      abort: (reason) => this.#fail(reason),
    });
    this.#body = body;
    // The first byte's deadline stays in force unless the body's is nearer.
    if (performance.now() + this.#timeouts.betweenChunks < this.expiresAt) this.#awaitChunk();
    this.#resolve({ status, headers: endToEnd(headers), body });
  }

  onResponseData(_controller: CallController, chunk: Buffer): void {
    this.#awaitChunk();
    this.#body?.push(chunk);
  }

  #awaitChunk(): void {
    this.#phase = "betweenChunks";
    this.expiresAt = Math.min(this.#wholeExpiresAt, performance.now() + this.#timeouts.betweenChunks);
  }

  onResponseEnd(): void {
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
    if (this.#body === undefined) this.#reject(error);
    else this.#body.finish(error);
  }

  #end(): void {
    this.#ended = true;
    this.#deadlines.forget(this);
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }
}
