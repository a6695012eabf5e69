import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { GatewayError, invalidRequest, requestTooLarge, toGatewayError } from "../../../contract/errors.ts";
import type { SocketCall, SocketFailure, SocketSession } from "../../../contract/socket.ts";
import { orderedUuid } from "../../../util/ordered-uuid.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { errorBody, errorHeaders } from "../error-body.ts";
import { MIN_PACE } from "../read-body.ts";
import { FrameRequest, headersOfFrames } from "./frame-request.ts";
import { FrameResponse, type FrameSink } from "./frame-response.ts";

/** What one connection may have. */
export interface ConnectionLimits {
  /** Bytes of one frame, and of all that wait. */
  readonly maxBytes: number;
  /** Milliseconds until it is told to open another one. */
  readonly lifetime: number;
  /** Milliseconds in which a started frame must have come, beside the least pace. */
  readonly frameTimeout: number;
}

/** Calls of one connection that run or wait. */
const MAX_CALLS = 16;
/** Unread bytes with which another frame than a part of an answer ends the connection. */
const MAX_UNREAD_BYTES = 1024 * 1024;
/** Beyond these a ping is not answered: who sends so many and reads nothing would fill the memory with answers. */
const MAX_UNREAD_PONGS = 16 * 1024;
/** Bytes of a masked frame around its payload, as control frames have them (RFC 6455, section 5.2). */
const CONTROL_FRAME_HEAD = 6;

const GOING_AWAY = 1001;
const UNSUPPORTED_DATA = 1003;

/** One WebSocket: each request of its frames goes the way of a request over HTTP. */
export class SocketConnection implements FrameSink {
  readonly #ws: WebSocket;
  readonly #socket: Duplex;
  readonly #opened: IncomingMessage;
  readonly #headers: IncomingHttpHeaders;
  readonly #session: SocketSession;
  readonly #dispatcher: Dispatcher;
  readonly #limits: ConnectionLimits;
  readonly #expiry: NodeJS.Timeout;
  /** Calls that wait, by their lane; a lane is there while one of its calls runs. */
  readonly #lanes = new Map<string, SocketCall[]>();
  readonly #running = new Set<FrameResponse>();
  #waiting = 0;
  #waitingBytes = 0;
  readonly #bytesOf = new WeakMap<SocketCall, number>();
  /** What the connection ends with when nothing runs any more. */
  #ending: SocketFailure | "going away" | undefined;
  #isAlive = true;
  #unread = 0;
  /** Bytes of a frame that has not come to its end, and since when. */
  #partial = 0;
  #partialSince = 0;

  constructor(
    ws: WebSocket,
    socket: Duplex,
    opened: IncomingMessage,
    session: SocketSession,
    dispatcher: Dispatcher,
    limits: ConnectionLimits,
  ) {
    this.#ws = ws;
    this.#socket = socket;
    this.#opened = opened;
    this.#headers = headersOfFrames(opened.headers);
    this.#session = session;
    this.#dispatcher = dispatcher;
    this.#limits = limits;
    this.#expiry = setTimeout(() => this.#end(session.expired()), limits.lifetime);
    this.#expiry.unref();
    socket.prependListener("data", (chunk: Buffer) => this.#received(chunk.length));
    ws.on("message", (data: Buffer, isBinary: boolean) => this.#take(data, isBinary));
    ws.on("ping", (data: Buffer) => this.#answerPing(data));
    ws.on("pong", (data: Buffer) => this.#controlFrame(data));
    // What a broken frame did: the library closes the connection with the code for it.
    ws.on("error", () => {});
    ws.on("close", () => this.#closed());
  }

  get isOpen(): boolean {
    return this.#ws.readyState === this.#ws.OPEN;
  }

  send(frames: readonly string[], sent: () => void): void {
    this.#socket.cork();
    frames.forEach((frame, index) => {
      if (index === frames.length - 1) this.#ws.send(frame, sent);
      else this.#ws.send(frame);
    });
    process.nextTick(() => this.#socket.uncork());
  }

  /** Asks for a sign of life; without one since the last time the connection is cut. */
  beat(now: number): void {
    const unread = this.#ws.bufferedAmount;
    const reads = unread < this.#unread;
    this.#unread = unread;
    const allowed = this.#limits.frameTimeout + (this.#partial / MIN_PACE) * 1000;
    const trickles = this.#partial > 0 && now - this.#partialSince > allowed;
    if (trickles || !(this.#isAlive || reads)) {
      this.#ws.terminate();
      return;
    }
    this.#isAlive = false;
    if (this.isOpen && unread < MAX_UNREAD_PONGS) this.#ws.ping();
  }

  /** Ends the connection when its running calls have been answered. */
  goAway(): void {
    this.#end("going away");
  }

  /** Ends it at once. */
  cut(): void {
    this.#ws.terminate();
  }

  #received(bytes: number): void {
    this.#isAlive = true;
    if (this.#partial === 0) this.#partialSince = performance.now();
    this.#partial += bytes;
  }

  #controlFrame(data: Buffer): void {
    this.#partial = Math.max(0, this.#partial - CONTROL_FRAME_HEAD - data.length);
  }

  #answerPing(data: Buffer): void {
    this.#controlFrame(data);
    if (this.isOpen && this.#ws.bufferedAmount < MAX_UNREAD_PONGS) this.#ws.pong(data);
  }

  #take(data: Buffer, isBinary: boolean): void {
    this.#partial = 0;
    if (!this.isOpen) return;
    if (isBinary) {
      this.#say(this.#session.failure(failureOf(binary())));
      this.#ws.close(UNSUPPORTED_DATA, "text frames only");
      return;
    }
    if (this.#ending !== undefined && this.#ending !== "going away") {
      this.#say(this.#session.failure(this.#ending));
      return;
    }
    try {
      const read = this.#session.read(data);
      if ("frames" in read) for (const frame of read.frames) this.#say(frame);
      else this.#enqueue(read, data.length);
    } catch (error) {
      this.#say(this.#session.failure(failureOf(toGatewayError(error))));
    }
  }

  #enqueue(call: SocketCall, bytes: number): void {
    const lane = this.#lanes.get(call.lane);
    if (
      this.#running.size + this.#waiting >= MAX_CALLS ||
      this.#waitingBytes + bytes > this.#limits.maxBytes
    ) {
      this.#say(call.failure(failureOf(tooManyCalls())));
    } else if (lane === undefined) {
      this.#lanes.set(call.lane, []);
      this.#run(call);
    } else {
      lane.push(call);
      this.#bytesOf.set(call, bytes);
      this.#waiting += 1;
      this.#waitingBytes += bytes;
    }
  }

  #run(call: SocketCall): void {
    const response = new FrameResponse(this, call, orderedUuid);
    this.#running.add(response);
    response.on("close", () => {
      this.#running.delete(response);
      this.#next(call.lane);
    });
    let body: Buffer;
    try {
      body = call.body();
      if (body.length > this.#limits.maxBytes) throw tooLarge();
    } catch (error) {
      response.destroy(toGatewayError(error));
      return;
    }
    const request = new FrameRequest(this.#opened, this.#headers, body);
    void this.#dispatcher.handle(request, response, false, call.handler);
  }

  #next(lane: string): void {
    const call = this.isOpen ? this.#lanes.get(lane)?.shift() : undefined;
    if (call === undefined) {
      this.#lanes.delete(lane);
      if (this.#running.size === 0) this.#endNow();
      return;
    }
    this.#waiting -= 1;
    this.#waitingBytes -= this.#bytesOf.get(call) ?? 0;
    this.#run(call);
  }

  #end(ending: SocketFailure | "going away"): void {
    this.#ending ??= ending;
    if (this.#running.size === 0) this.#endNow();
  }

  #endNow(): void {
    if (this.#ending === undefined || !this.isOpen) return;
    if (this.#ending !== "going away") this.#say(this.#session.failure(this.#ending));
    this.#ws.close(GOING_AWAY, this.#ending === "going away" ? "the gateway is shutting down" : "too old");
  }

  /** Sends what nobody waits for, as long as the caller reads. */
  #say(frame: string): void {
    if (!this.isOpen) return;
    if (this.#ws.bufferedAmount > MAX_UNREAD_BYTES) this.#ws.terminate();
    else this.#ws.send(frame);
  }

  /** Whoever worked for the caller is told that it left. */
  #closed(): void {
    clearTimeout(this.#expiry);
    this.#lanes.clear();
    this.#waiting = 0;
    for (const response of [...this.#running]) response.destroy();
    this.#session.close();
  }
}

function failureOf(error: GatewayError): SocketFailure {
  const headers = { ...errorHeaders(error) };
  delete headers["content-type"];
  return { status: error.status, body: errorBody(error, "openai", orderedUuid()), headers };
}

function binary(): GatewayError {
  return invalidRequest("Binary frames are not supported; send JSON as text");
}

function tooLarge(): GatewayError {
  const text = "The request and the conversation that it continues are larger than a request body may be";
  return requestTooLarge(text);
}

function tooManyCalls(): GatewayError {
  const text = `This connection has as many requests as it may have (${MAX_CALLS}); wait for their answers`;
  return new GatewayError(429, "rate_limit_error", text, { retryAfter: 1 });
}
