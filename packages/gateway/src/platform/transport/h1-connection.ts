import type { Socket } from "node:net";
import type { Expiring } from "./deadlines.ts";
import { MalformedResponse, type ResponseHead } from "./h1-heads.ts";
import { ResponseParser, type ResponseSink } from "./h1-response-parser.ts";
import { openSocket, received, type Server, type SocketEvents } from "./open-socket.ts";
import type { CallController, CallHandler, OutgoingRequest } from "./upstream-call.ts";

/** Where a connection goes when its answer is complete, and where it is taken from the list when it closes. */
export interface ConnectionHome {
  /** @param keepAlive milliseconds that the server announced */
  released(connection: Connection, keepAlive: number | undefined): void;
  closed(connection: Connection): void;
  /** A request whose connection was closed before its server can have answered anything. @returns whether it goes out again */
  repeat(request: OutgoingRequest, handler: CallHandler): boolean;
}

/** Requests up to this size are one piece for the kernel: copying the body is cheaper than a vector of two. */
const JOINED_BYTES = 16_000;

/** One connection over HTTP/1.1, without pipelining: one call at a time. */
export class Connection implements Expiring, ResponseSink, SocketEvents {
  expiresAt = Number.POSITIVE_INFINITY;
  watchedAt = 0;
  /** When it became free; nothing while it has not answered yet. */
  freeSince: number | undefined;
  readonly #home: ConnectionHome;
  #socket: Socket;
  readonly #parser = new ResponseParser(this);
  #connected = false;
  #ended = false;
  #call: Call | undefined;
  #keepAlive: number | undefined;

  constructor(server: Server, home: ConnectionHome) {
    this.#home = home;
    this.#socket = openSocket(server, this);
  }

  /** Whether another request may be sent. */
  get isOpen(): boolean {
    return !this.#ended && !this.#socket.destroyed;
  }

  send(request: OutgoingRequest, handler: CallHandler): void {
    const call = new Call(this.#socket, request, handler);
    this.#call = call;
    handler.onConnecting(call);
    if (this.#connected) this.#start(call);
  }

  /** The server would close it soon: nobody uses it at the moment. */
  expire(): void {
    this.destroy();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  onHead({ status, headers, keepAlive }: ResponseHead): void {
    this.#keepAlive = keepAlive;
    const call = this.#call;
    call?.handler.onResponseStart(call, status, headers);
  }

  onBody(chunk: Buffer): void {
    const call = this.#call;
    call?.handler.onResponseData(call, chunk);
  }

  onEnd(): void {
    const call = this.#call;
    this.#call = undefined;
    call?.end();
    call?.handler.onResponseEnd(call);
  }

  opened(socket: Socket): void {
    this.#connected = true;
    this.#socket = socket;
    const call = this.#call;
    if (call === undefined) return;
    call.socket = socket;
    this.#start(call);
  }

  #start(call: Call): void {
    call.handler.onRequestStart(call);
    // The handler may have given up by now.
    if (this.#socket.destroyed || call.request === undefined) return;
    const { head, body } = call.request;
    if (body === undefined || body.length === 0) this.#socket.write(head, "latin1");
    else if (body.length <= JOINED_BYTES) this.#socket.write(head + body.toString("latin1"), "latin1");
    else {
      this.#socket.cork();
      this.#socket.write(head, "latin1");
      this.#socket.write(body);
      this.#socket.uncork();
    }
  }

  received(length: number): boolean {
    if (this.#call === undefined) {
      // Nothing was asked: whatever this is, it must not become the answer to the next request.
      this.destroy();
      return true;
    }
    this.#call.request = undefined;
    try {
      const used = this.#parser.feed(received, length);
      if (this.#call === undefined) this.#release(used === length);
    } catch (error) {
      this.failed(error as Error);
    }
    return true;
  }

  #release(isClean: boolean): void {
    const isReusable = isClean && this.#keepAlive !== 0 && this.#socket.writableLength === 0;
    if (!isReusable || !this.isOpen) {
      this.destroy();
      return;
    }
    this.#home.released(this, this.#keepAlive);
  }

  ended(): void {
    this.#ended = true;
    if (this.#call === undefined) return;
    try {
      this.#parser.finish();
    } catch (error) {
      this.failed(error as Error);
    }
  }

  closed(): void {
    this.#home.closed(this);
    this.failed(new MalformedResponse("the connection was closed"));
  }

  failed(error: Error): void {
    const call = this.#call;
    this.#call = undefined;
    this.destroy();
    call?.end();
    if (call === undefined || this.#repeats(call)) return;
    call.handler.onResponseError(call, error);
  }

  /**
   * A server may close a connection that was free at the moment at which a request goes out (RFC 9112, section 9.3.1); its
   * end says nothing of whether it has read the request.
   */
  #repeats({ request, handler, isAborted }: Call): boolean {
    const isKept = this.freeSince !== undefined;
    if (!isKept || isAborted || request?.isRepeatable !== true) return false;
    return this.#home.repeat(request, handler);
  }
}

/** A call while it has its connection. */
class Call implements CallController {
  /** Until something of the answer has come: nobody sends it again then, and an open stream needs no memory for it. */
  request: OutgoingRequest | undefined;
  readonly handler: CallHandler;
  isAborted = false;
  /** Until its answer is complete. */
  socket: Socket | undefined;
  #paused = false;

  constructor(socket: Socket, request: OutgoingRequest, handler: CallHandler) {
    this.socket = socket;
    this.request = request;
    this.handler = handler;
  }

  pause(): void {
    if (this.socket === undefined) return;
    this.#paused = true;
    this.socket.pause();
  }

  resume(): void {
    this.#paused = false;
    this.socket?.resume();
  }

  abort(): void {
    this.isAborted = true;
    this.socket?.destroy();
  }

  /** Lets go of the connection, which the next call finds reading. */
  end(): void {
    if (this.#paused) this.resume();
    this.socket = undefined;
  }
}
