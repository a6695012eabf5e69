import { Deadlines } from "./deadlines.ts";
import { Connection, type ConnectionHome } from "./h1-connection.ts";
import type { Server } from "./open-socket.ts";
import { bare, type ForwardProxy, portOf } from "./proxies.ts";
import type { CallHandler, OutgoingRequest } from "./upstream-call.ts";

/** Milliseconds that an idle connection is kept where the server announces nothing, and at most. */
const DEFAULT_KEEP_ALIVE = 20_000;
const MAX_KEEP_ALIVE = 120_000;
/** Milliseconds before the announced end at which a connection is not used any more: a request takes time as well. */
const SAFETY_MARGIN = 2000;
/**
 * Milliseconds since its last answer in which a connection serves requests that nobody may send twice: servers close free
 * ones after seconds.
 */
const JUST_USED = 1000;
/** Milliseconds between two looks for connections that were idle for too long. */
const LOOK_EVERY = 1000;

/**
 * Kept-alive connections to one server. The one used last is used next, so that those beyond what the load needs
 * stay idle and end.
 */
export class Connections implements ConnectionHome {
  readonly #server: Server;
  readonly #idle: Connection[] = [];
  /** Released in this turn of the event loop, and in the one before. */
  #released: Connection[] = [];
  #releasedBefore: Connection[] = [];
  readonly #all = new Set<Connection>();
  #isDestroyed = false;
  readonly #deadlines = new Deadlines({ precision: LOOK_EVERY });

  /**
   * @param origin scheme, host and port
   * @param proxy what stands in between
   */
  constructor(origin: string, proxy?: ForwardProxy) {
    const { protocol, hostname, port } = new URL(origin);
    this.#server = {
      secure: protocol === "https:",
      hostname: bare(hostname),
      port: portOf(protocol, port),
      proxy,
      session: undefined,
    };
  }

  /** Sends a request on an idle connection or a new one. */
  send(request: OutgoingRequest, handler: CallHandler): void {
    this.#take(request.isRepeatable).send(request, handler);
  }

  /** On a new connection: the others may be closed by now as well. */
  repeat(request: OutgoingRequest, handler: CallHandler): boolean {
    if (this.#isDestroyed) return false;
    this.#open().send(request, handler);
    return true;
  }

  /** Cuts every connection. */
  destroy(): void {
    this.#isDestroyed = true;
    for (const connection of this.#all) connection.destroy();
  }

  released(connection: Connection, keepAlive: number | undefined): void {
    const wanted = keepAlive === undefined ? DEFAULT_KEEP_ALIVE : keepAlive - SAFETY_MARGIN;
    if (wanted <= 0) {
      connection.destroy();
      return;
    }
    connection.freeSince = performance.now();
    connection.expiresAt = connection.freeSince + Math.min(wanted, MAX_KEEP_ALIVE);
    const isFirst = this.#released.push(connection) === 1 && this.#releasedBefore.length === 0;
    if (isFirst) setImmediate(this.#settle);
  }

  /**
   * Frees connections a turn of the event loop after their release: by then those are known that their servers have
   * closed right behind the answer, without having said so.
   */
  readonly #settle = (): void => {
    for (const connection of this.#releasedBefore) {
      if (!connection.isOpen) continue;
      this.#idle.push(connection);
      this.#deadlines.watch(connection);
    }
    this.#releasedBefore = this.#released;
    this.#released = [];
    if (this.#releasedBefore.length > 0) setImmediate(this.#settle);
  };

  closed(connection: Connection): void {
    this.#all.delete(connection);
    const index = this.#idle.indexOf(connection);
    if (index === -1) return;
    this.#idle.splice(index, 1);
    this.#deadlines.forget(connection);
  }

  /** @param isRepeatable a request that is not gets no connection that its server may be about to close */
  #take(isRepeatable: boolean): Connection {
    const now = performance.now();
    for (let connection = this.#idle.pop(); connection !== undefined; connection = this.#idle.pop()) {
      this.#deadlines.forget(connection);
      const mayServe = isRepeatable || now - connection.freeSince! < JUST_USED;
      if (connection.isOpen && connection.expiresAt > now && mayServe) return connection;
      connection.destroy();
      if (!mayServe) break;
    }
    return this.#open();
  }

  #open(): Connection {
    const connection = new Connection(this.#server, this);
    this.#all.add(connection);
    return connection;
  }
}
