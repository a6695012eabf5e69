import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import type { CallerRequest } from "../exchange.ts";

/** A frame as a request of its own, with the headers with which its connection was opened. */
export class FrameRequest extends Readable implements CallerRequest {
  readonly method = "POST";
  readonly complete = true;
  readonly headers: IncomingHttpHeaders;
  #frame: Buffer | null;

  constructor(headers: IncomingHttpHeaders, frame: Buffer) {
    super();
    this.headers = headers;
    this.#frame = frame;
  }

  override _read(): void {
    const frame = this.#frame;
    this.#frame = null;
    if (frame !== null && frame.length > 0) this.push(frame);
    this.push(null);
  }
}
