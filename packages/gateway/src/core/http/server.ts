import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Dispatcher } from "./dispatcher.ts";
import { refuseMalformed } from "./refuse-malformed.ts";

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

  constructor(dispatcher: Dispatcher) {
    this.#dispatcher = dispatcher;
    this.#server = createServer({
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT,
      connectionsCheckingInterval: CHECK_HEADERS_EVERY,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
      // Bodies have their own time-out, which depends on how much has arrived.
      requestTimeout: 0,
      noDelay: true,
    });
    this.#server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      void dispatcher.handle(request, response, false);
    });
    this.#server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
      void dispatcher.handle(request, response, true);
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
    await this.#dispatcher.idle();
    // Give answers that were just ended the time to leave, then let go of kept-alive connections.
    this.#server.closeIdleConnections();
    const cut = setTimeout(() => this.#server.closeAllConnections(), 1000);
    await closed;
    clearTimeout(cut);
  }
}
