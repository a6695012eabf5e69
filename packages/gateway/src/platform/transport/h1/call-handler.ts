import type { ResponseHeaders } from "../headers.ts";

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
}
