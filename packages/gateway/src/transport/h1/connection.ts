import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectSecure } from "node:tls";
import type { Expiring } from "../deadlines.ts";
import type { ResponseHeaders } from "../headers.ts";
import { MalformedResponse, type ResponseHead } from "./response-head.ts";
import { ResponseParser, type ResponseSink } from "./response-parser.ts";

/** A server that connections lead to. */
export interface Server {
  readonly secure: boolean;
  readonly hostname: string;
  readonly port: number;
  /** The last TLS session, which makes the next connection's handshake short. */
  session: Buffer | undefined;
}

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

/** Where a connection goes when its answer is complete, and where it is taken from the list when it closes. */
export interface ConnectionHome {
  /** @param keepAlive milliseconds that the server announced */
  released(connection: Connection, keepAlive: number | undefined): void;
  closed(connection: Connection): void;
}

/** Requests up to this size are one piece for the kernel: copying the body is cheaper than a vector of two. */
const joinedBytes = 16_000;

/** Bytes read at once, by all connections in turns: what is kept of them is copied. */
const received = Buffer.allocUnsafeSlow(65_536);

/** Milliseconds without traffic after which the kernel asks whether the server is still there. */
const probeAfter = 60_000;

/** One connection over HTTP/1.1, without pipelining: one call at a time. */
export class Connection implements Expiring, ResponseSink {
  expiresAt = Number.POSITIVE_INFINITY;
  watchedAt = 0;
  readonly #home: ConnectionHome;
  readonly #socket: Socket;
  readonly #parser = new ResponseParser(this);
  #connected = false;
  #call: Call | undefined;
  #keepAlive: number | undefined;

  constructor(server: Server, home: ConnectionHome) {
    this.#home = home;
    this.#socket = openSocket(server, (length) => this.#receive(length));
    this.#socket
      .once(server.secure ? "secureConnect" : "connect", () => this.#connect())
      .on("error", (error) => this.#fail(error))
      .on("end", () => this.#finish())
      .on("close", () => this.#close());
  }

  /** Whether another request may be sent. */
  get isOpen(): boolean {
    const { writable, readable, destroyed } = this.#socket;
    return writable && readable && !destroyed;
  }

  send(request: OutgoingRequest, handler: CallHandler): void {
    const call = new Call(this.#socket, request, handler);
    this.#call = call;
    this.#socket.ref();
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

  #connect(): void {
    this.#connected = true;
    if (this.#call !== undefined) this.#start(this.#call);
  }

  #start(call: Call): void {
    call.handler.onRequestStart(call);
    // The handler may have given up by now.
    if (this.#socket.destroyed) return;
    const { head, body } = call.request;
    if (body === undefined || body.length === 0) this.#socket.write(head, "latin1");
    else if (body.length <= joinedBytes) this.#socket.write(head + body.toString("latin1"), "latin1");
    else {
      this.#socket.cork();
      this.#socket.write(head, "latin1");
      this.#socket.write(body);
      this.#socket.uncork();
    }
  }

  /** @param length bytes at the beginning of `received` */
  #receive(length: number): boolean {
    if (this.#call === undefined) {
      // Nothing was asked: whatever this is, it must not become the answer to the next request.
      this.destroy();
      return true;
    }
    try {
      const used = this.#parser.feed(received, length);
      if (this.#call === undefined) this.#release(used === length);
    } catch (error) {
      this.#fail(error as Error);
    }
    return true;
  }

  #release(isClean: boolean): void {
    const isReusable = isClean && this.#keepAlive !== 0 && this.#socket.writableLength === 0;
    if (!isReusable || !this.isOpen) {
      this.destroy();
      return;
    }
    // An idle connection keeps no process alive.
    this.#socket.unref();
    this.#home.released(this, this.#keepAlive);
  }

  /** The server has ended its side. */
  #finish(): void {
    if (this.#call === undefined) return;
    try {
      this.#parser.finish();
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #close(): void {
    this.#home.closed(this);
    this.#fail(new MalformedResponse("the connection was closed"));
  }

  #fail(error: Error): void {
    const call = this.#call;
    this.#call = undefined;
    this.destroy();
    call?.end();
    call?.handler.onResponseError(call, error);
  }
}

/** A call while it has its connection. */
class Call implements CallController {
  readonly request: OutgoingRequest;
  readonly handler: CallHandler;
  #socket: Socket | undefined;
  #paused = false;

  constructor(socket: Socket, request: OutgoingRequest, handler: CallHandler) {
    this.#socket = socket;
    this.request = request;
    this.handler = handler;
  }

  pause(): void {
    if (this.#socket === undefined) return;
    this.#paused = true;
    this.#socket.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#socket?.resume();
  }

  abort(): void {
    this.#socket?.destroy();
  }

  /** Lets go of the connection, which the next call finds reading. */
  end(): void {
    if (this.#paused) this.resume();
    this.#socket = undefined;
  }
}

function openSocket(server: Server, onReceived: (length: number) => boolean): Socket {
  const { secure, hostname, port, session } = server;
  const options = { host: hostname, port, onread: { buffer: received, callback: onReceived } };
  const socket = secure
    ? connectSecure({
        ...options,
        ALPNProtocols: ["http/1.1"],
        ...(session === undefined ? {} : { session }),
        // Names only: TLS knows no addresses here (RFC 6066, section 3).
        ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
      }).on("session", (fresh) => {
        server.session = fresh;
      })
    : connectPlain(options);
  return socket.setNoDelay(true).setKeepAlive(true, probeAfter);
}
