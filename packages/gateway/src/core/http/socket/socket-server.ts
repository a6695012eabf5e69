import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocketServer } from "ws";
import { GatewayError, toGatewayError } from "../../../contract/errors.ts";
import type { Route } from "../../../contract/exchange.ts";
import type { Principal } from "../../../contract/principal.ts";
import type { ConfigSource } from "../../../platform/config/gateway-config.ts";
import { callIdOf } from "../call-headers.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { errorBody, errorHeaders } from "../error-body.ts";
import { SocketConnection } from "./socket-connection.ts";

/** Milliseconds between two looks at whether the callers are still there. */
const BEAT = 30_000;
/** Milliseconds that a connection may last (OpenAI's own limit). */
const LIFETIME = 3_600_000;
/** The share of all connections that one key, one user and one team may have. */
const SHARES = { key: 1 / 4, user: 1 / 4, team: 1 / 2 } as const;
/** Bytes from which on a frame is compressed. */
const COMPRESSED_BYTES = 1024;

/** The WebSockets of a server; the library behind them is loaded with the first one. */
export class SocketServer {
  readonly #dispatcher: Dispatcher;
  readonly #config: ConfigSource;
  readonly #timing: { readonly beat: number; readonly lifetime: number };
  readonly #connections = new Set<SocketConnection>();
  /** Connections by key, user and team, those that are about to be opened included. */
  readonly #counts = new Map<string, number>();
  #total = 0;
  #beats: NodeJS.Timeout | undefined;

  constructor(dispatcher: Dispatcher, config: ConfigSource, timing = { beat: BEAT, lifetime: LIFETIME }) {
    this.#dispatcher = dispatcher;
    this.#config = config;
    this.#timing = timing;
  }

  /** Whether a request asks for a WebSocket where there is one. */
  wants(request: Pick<IncomingMessage, "headers" | "method" | "url">): boolean {
    return (
      request.headers.upgrade?.toLowerCase() === "websocket" &&
      this.#dispatcher.socketRoute(request) !== undefined
    );
  }

  /** Opens one that `wants` has said yes to. Never rejects. */
  async open(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const route = this.#dispatcher.socketRoute(request)!;
    const startedAt = Date.now();
    const seen = { callId: callIdOf(request.headers), method: "GET", route: route.path, path: route.path };
    const ended = (status: number, principal?: Principal, error?: GatewayError): void =>
      this.#dispatcher.observe({
        ...seen,
        status,
        durationMs: Date.now() - startedAt,
        principal,
        call: undefined,
        error,
      });
    const cut = (): void => {
      socket.destroy();
    };
    socket.on("error", cut);
    let principal: Principal | undefined;
    try {
      principal = await this.#dispatcher.admit(request, route);
      if (socket.destroyed) return;
      const letGo = this.#reserve(principal);
      socket.once("close", () => {
        letGo();
        ended(101, principal);
      });
      const library = await this.#library(route);
      socket.off("error", cut);
      library.handleUpgrade(request, socket, head, (ws) => {
        const maxBytes = this.#dispatcher.maxBodyBytes(route);
        const session = route.socket!.open(maxBytes);
        const { bodyTimeout } = this.#config.current.generalSettings;
        const limits = { maxBytes, lifetime: this.#timing.lifetime, frameTimeout: bodyTimeout * 1000 };
        const connection = new SocketConnection(ws, socket, request, session, this.#dispatcher, limits);
        this.#connections.add(connection);
        ws.on("close", () => this.#forget(connection));
        this.#beats ??= setInterval(() => this.#beat(), this.#timing.beat).unref();
      });
    } catch (thrown) {
      const error = toGatewayError(thrown);
      refuse(socket, error, seen.callId);
      ended(error.status, principal, error);
    }
  }

  /** Ends each connection once its running calls have been answered. */
  drain(): void {
    for (const connection of this.#connections) connection.goAway();
  }

  /** Ends all of them at once. */
  close(): void {
    for (const connection of this.#connections) connection.cut();
  }

  #beat(): void {
    const now = performance.now();
    for (const connection of this.#connections) connection.beat(now);
  }

  #forget(connection: SocketConnection): void {
    this.#connections.delete(connection);
    if (this.#connections.size > 0) return;
    clearInterval(this.#beats);
    this.#beats = undefined;
  }

  /**
   * A place among the connections.
   * @returns gives it back
   * @throws GatewayError 429 where the key, its user or its team has as many as it may have, 503 where the gateway has
   */
  #reserve({ keyHash, userId, teamId }: Principal): () => void {
    const max = this.#config.current.gatewaySettings.maxWebsockets;
    if (this.#total >= max)
      throw new GatewayError(503, "overloaded_error", "Too many WebSockets are open", { retryAfter: 5 });
    const holders: string[] = [];
    for (const [kind, id] of Object.entries({ key: keyHash, user: userId, team: teamId })) {
      if (id === undefined) continue;
      const holder = `${kind}:${id}`;
      if ((this.#counts.get(holder) ?? 0) >= Math.ceil(max * SHARES[kind as keyof typeof SHARES])) {
        const whose = kind === "key" ? "api key" : kind;
        throw new GatewayError(429, "rate_limit_error", `This ${whose} has too many WebSockets open`, {
          retryAfter: 5,
        });
      }
      holders.push(holder);
    }
    this.#total += 1;
    for (const holder of holders) this.#counts.set(holder, (this.#counts.get(holder) ?? 0) + 1);
    return () => {
      this.#total -= 1;
      for (const holder of holders) {
        const left = this.#counts.get(holder)! - 1;
        if (left === 0) this.#counts.delete(holder);
        else this.#counts.set(holder, left);
      }
    };
  }

  readonly #libraries = new Map<number, Promise<WebSocketServer>>();

  /** One for each size that a frame may have, which a changed configuration changes. */
  #library(route: Route): Promise<WebSocketServer> {
    const maxPayload = this.#dispatcher.maxBodyBytes(route);
    let library = this.#libraries.get(maxPayload);
    if (library === undefined) {
      library = load(maxPayload);
      this.#libraries.clear();
      this.#libraries.set(maxPayload, library);
    }
    return library;
  }
}

async function load(maxPayload: number): Promise<WebSocketServer> {
  const { WebSocketServer } = await import("ws");
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // The connection answers pings itself, as far as the caller reads.
    autoPong: false,
    // Compressed frames count by what comes out of them.
    maxPayload,
    perMessageDeflate: {
      // Nothing is kept between frames for connections that idle.
      serverNoContextTakeover: true,
      clientNoContextTakeover: true,
      threshold: COMPRESSED_BYTES,
    },
  });
}

/** Answers a request for a WebSocket that gets none, and closes its connection. */
function refuse(socket: Duplex, error: GatewayError, callId: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(errorBody(error, "openai", callId));
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? "Error"}`,
    ...Object.entries(errorHeaders(error)).map(([name, value]) => `${name}: ${value}`),
    `x-portico-call-id: ${callId}`,
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.once("finish", () => socket.destroy());
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
