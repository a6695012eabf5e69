import { Writable } from "node:stream";
import { GatewayError, toGatewayError } from "../../../contract/errors.ts";
import { isJsonObject, type JsonObject, parseJsonObject } from "../../../contract/json.ts";
import type { SocketCall, SocketHeaders } from "../../../contract/socket.ts";
import { parseSseFrame } from "../../../formats/sse-event.ts";
import { SseSplitter } from "../../../formats/sse-splitter.ts";
import { errorBody, errorHeaders } from "../error-body.ts";
import type { CallerResponse } from "../http-exchange.ts";

/** Sends text frames. */
export interface FrameSink {
  readonly isOpen: boolean;
  /** @param sent called once the frames have left, or never will */
  send(frames: readonly string[], sent: () => void): void;
}

/** The answer to a frame's request: its events become frames as fast as the caller reads them. */
export class FrameResponse extends Writable implements CallerResponse {
  headersSent = false;
  statusCode = 200;
  readonly socket = null;
  readonly #sink: FrameSink;
  readonly #call: SocketCall;
  readonly #callId: () => string;
  readonly #splitter = new SseSplitter();
  #headers: SocketHeaders | undefined;
  /** Absent for a stream of events. */
  #whole: Buffer[] | undefined = [];

  /** @param callId names the call in an error that nobody else tells of */
  constructor(sink: FrameSink, call: SocketCall, callId: () => string) {
    super();
    this.#sink = sink;
    this.#call = call;
    this.#callId = callId;
    // Whoever destroys it with an error tells of it elsewhere.
    this.on("error", () => {});
  }

  writeHead(status: number, headers: readonly string[]): void {
    this.headersSent = true;
    this.statusCode = status;
    const told: Record<string, string> = {};
    for (let at = 0; at + 1 < headers.length; at += 2) told[headers[at]!] = headers[at + 1]!;
    if (told["content-type"]?.startsWith("text/event-stream") === true) this.#whole = undefined;
    for (const name of ["content-type", "content-length", "cache-control", "connection"]) delete told[name];
    this.#headers = told;
  }

  /** The head goes with the first frame. */
  flushHeaders(): void {}

  writeContinue(): void {}

  override _write(chunk: Buffer, _encoding: unknown, done: (error?: Error | null) => void): void {
    if (this.#whole !== undefined) {
      this.#whole.push(chunk);
      done();
      return;
    }
    let frames: string[];
    try {
      frames = this.#splitter.push(chunk).flatMap((bytes) => this.#framesOf(bytes));
    } catch (error) {
      done(error as Error);
      return;
    }
    if (frames.length === 0) done();
    else this.#sink.send(frames, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    const frames = this.#whole === undefined ? this.#framesOf(this.#splitter.rest()) : [this.#wholeFrame()];
    if (frames.length === 0) done();
    else this.#sink.send(frames, done);
  }

  /** An answer that broke off never looks like one that ended. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.writableFinished && this.#sink.isOpen) {
      const told = error === null ? brokenOff() : toGatewayError(error);
      const body = errorBody(told, "openai", this.#callId());
      const failure = { status: told.status, body, headers: { ...this.#headers, ...errorHeaders(told) } };
      this.#sink.send([this.#call.failure(failure)], () => {});
    }
    done(error);
  }

  #framesOf(bytes: Buffer): string[] {
    const event = parseSseFrame(bytes.toString("utf8"));
    if (event === undefined || event.data === "" || event.data === "[DONE]") return [];
    const headers = this.#headers;
    this.#headers = undefined;
    const frame = this.#call.event(event.event, event.data, headers);
    return frame === undefined ? [] : [frame];
  }

  #wholeFrame(): string {
    const body = bodyOf(Buffer.concat(this.#whole ?? []));
    const { statusCode: status } = this;
    return this.#call.failure({ status, body, headers: this.#headers ?? {} });
  }
}

function bodyOf(bytes: Buffer): JsonObject {
  const body = parseJsonObject(bytes.toString("utf8"));
  return body !== undefined && isJsonObject(body.error) ? body : { error: { message: "No events came" } };
}

function brokenOff(): GatewayError {
  return new GatewayError(502, "api_error", "The answer broke off before it was complete; try again");
}
