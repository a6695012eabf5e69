import { randomUUID } from "node:crypto";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { GatewayError, invalidRequest } from "../../contract/errors.ts";
import { loadTls } from "../../platform/transport/load-tls.ts";
import { loadPrices } from "../ledger/price.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { errorBody } from "./error-body.ts";
import { plainAgain } from "./socket/plain-again.ts";
import type { SocketServer } from "./socket/socket-server.ts";

/** Bytes that all headers of a request may have together. */
const MAX_HEADER_BYTES = 64 * 1024;

/** Milliseconds. */
const HEADERS_TIMEOUT = 15_000;
const CHECK_HEADERS_EVERY = 5000;
const KEEP_ALIVE_TIMEOUT = 75_000;

/** Where the server listens. */
export interface ListeningAddress {
  readonly host: string;
  readonly port: number;
}

/** The HTTP server: accepts connections, hands requests to the dispatcher, and ends without cutting an answer. */
export class GatewayServer {
  readonly #server: Server;
  readonly #dispatcher: Dispatcher;
  readonly #sockets: SocketServer;
  readonly #opened: () => void;

  /** @param opened told once the port takes connections */
  constructor(dispatcher: Dispatcher, sockets: SocketServer, opened = () => {}) {
    this.#opened = opened;
    this.#dispatcher = dispatcher;
    this.#sockets = sockets;
    this.#server = createServer({
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT,
      connectionsCheckingInterval: CHECK_HEADERS_EVERY,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
      // Bodies have their own time-out, which depends on how much has arrived.
      requestTimeout: 0,
      noDelay: true,
      shouldUpgradeCallback: (request) => sockets.wants(request),
    });
    this.#server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      void dispatcher.handle(request, response, false);
    });
    this.#server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
      void dispatcher.handle(request, response, true);
    });
    this.#server.on("upgrade", (request, socket, head) => {
      if (sockets.wants(request)) void sockets.open(request, socket, head);
      else plainAgain(this.#server, request, socket, head);
    });
    this.#server.on("clientError", refuseMalformed);
  }

  /** Listens; port 0 takes a free one. */
  listen(port: number, host: string): Promise<ListeningAddress> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, host, () => {
        this.#server.off("error", reject);
        const address = this.#server.address() as AddressInfo;
        // What the first calls would wait for, done after the start instead of before it.
        setImmediate(() => {
          this.#dispatcher.prepare();
          loadTls();
          loadPrices();
          // For the checksums of the spend journal.
          process.getBuiltinModule("node:zlib");
          if (this.#server.listening) this.#opened();
        });
        resolve({ host: address.address, port: address.port });
      });
    });
  }

  /** Calls that are not answered yet. */
  get runningCalls(): number {
    return this.#dispatcher.running;
  }

  /** Takes no more calls and resolves when the last running one has ended. */
  async drain(): Promise<void> {
    this.#dispatcher.drain();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    this.#sockets.drain();
    await this.#dispatcher.idle();
    // Give answers that were just ended the time to leave, then let go of kept-alive connections.
    this.#server.closeIdleConnections();
    const cut = setTimeout(() => {
      this.#server.closeAllConnections();
      this.#sockets.close();
    }, 1000);
    await closed;
    clearTimeout(cut);
  }
}

/** What node's parser complains of, as an error of ours. */
function parseError(code: string | undefined): GatewayError {
  if (code === "HPE_HEADER_OVERFLOW")
    return new GatewayError(431, "invalid_request_error", "The request's headers are too large");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new GatewayError(408, "timeout_error", "The request did not arrive in time");
  return invalidRequest("The request is not valid HTTP/1.1");
}

/** Answers a request that could not even be parsed, and closes its connection. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = parseError(error.code);
  const body = JSON.stringify(errorBody(refusal, "openai", randomUUID()));
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
