import type { OutgoingHttpHeaders } from "node:http";
import { Writable } from "node:stream";
import type { WebSocket } from "ws";
import type { CallerResponse } from "../exchange.ts";
import type { SocketFrame } from "./socket-protocol.ts";

/** The answer to a frame: each event of a stream becomes a frame, and any other answer one. */
export class FrameResponse extends Writable implements CallerResponse {
  headersSent = false;
  statusCode = 200;
  readonly #ws: WebSocket;
  readonly #frame: SocketFrame;
  #headers: Record<string, string> = {};
  #isStream = false;
  #text = "";

  constructor(ws: WebSocket, frame: SocketFrame) {
    super({ decodeStrings: true });
    this.#ws = ws;
    this.#frame = frame;
    this.on("error", () => {});
  }

  writeHead(status: number, headers: OutgoingHttpHeaders): void {
    this.headersSent = true;
    this.statusCode = status;
    for (const [name, value] of Object.entries(headers)) this.#headers[name] = String(value);
    this.#isStream = this.#headers["content-type"]?.startsWith("text/event-stream") === true;
  }

  /** The head is no frame. */
  flushHeaders(): void {}

  override _write(chunk: Buffer, _encoding: unknown, done: (error?: Error | null) => void): void {
    // One letter for each byte, as a piece may end within a character.
    this.#text += chunk.toString("latin1");
    if (!this.#isStream) {
      done();
      return;
    }
    const events = this.#text.split("\n\n");
    this.#text = events.pop() ?? "";
    this.#send(
      events.flatMap((event) => dataOf(event)).map((data) => this.#frame.event(data)),
      done,
    );
  }

  override _final(done: (error?: Error | null) => void): void {
    const { "content-type": _type, "content-length": _length, ...headers } = this.#headers;
    const body = Buffer.from(this.#text, "latin1").toString("utf8");
    this.#send(
      this.#isStream || body === "" ? [] : [this.#frame.whole(this.statusCode, body, headers)],
      done,
    );
  }

  /** Who dies in the middle of an answer takes the connection along. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.writableFinished) this.#ws.terminate();
    done(error);
  }

  #send(frames: readonly string[], done: (error?: Error | null) => void): void {
    if (frames.length === 0) {
      done();
      return;
    }
    for (const frame of frames.slice(0, -1)) this.#ws.send(frame, () => {});
    this.#ws.send(frames.at(-1)!, done);
  }
}

function dataOf(event: string): string[] {
  const data = /^data: (.*)$/ms.exec(event)?.[1];
  return data === undefined ? [] : [Buffer.from(data, "latin1").toString("utf8")];
}
