import { connect as connectPlain, isIP, type Socket } from "node:net";
import { loadTls } from "./load-tls.ts";
import type { ForwardProxy } from "./proxies.ts";
import { connectToProxy, openTunnel } from "./tunnel.ts";

/** A server that connections lead to. */
export interface Server {
  readonly secure: boolean;
  readonly hostname: string;
  readonly port: number;
  /** What stands in between: it passes plain requests on, and TLS goes through a tunnel. */
  readonly proxy: ForwardProxy | undefined;
  /** The last TLS session, which makes the next connection's handshake short. */
  session: Buffer | undefined;
}

/** Hears how a connection goes on. */
export interface SocketEvents {
  /** Requests may go out on this socket, which need not be the first one. */
  opened(socket: Socket): void;
  /** Told how many bytes there are in `received`, which the next read overwrites; `true` has the socket read on. */
  received(length: number): boolean;
  /** The server has ended its side. */
  ended(): void;
  failed(error: Error): void;
  closed(): void;
}

/** Bytes read at once, by all connections in turns: what is kept of them is copied. */
export const received = Buffer.allocUnsafeSlow(65_536);

/** Milliseconds without traffic after which the kernel asks whether the server is still there. */
const PROBE_AFTER = 60_000;

/**
 * Connects to a server. TLS is verified as usual, and speaks HTTP/1.1 only. The connection keeps no process alive: that
 * is for the calls on it.
 * @returns what is to be destroyed where the connection is given up before it is open
 */
export function openSocket(server: Server, events: SocketEvents): Socket {
  const { secure, hostname, port, proxy } = server;
  if (proxy !== undefined && secure) return tunnelled(server, proxy, events);
  const onread = { buffer: received, callback: events.received.bind(events) };
  if (proxy !== undefined) return heard(connectToProxy(proxy, { onread }), proxy.secure, events);
  const options = { host: hostname, port, onread };
  return heard(secure ? connectSecurely(server, options) : connectPlain(options), secure, events);
}

/** TLS to the server through a tunnel. What comes is copied once more: Node reads in place on sockets of its own only. */
function tunnelled(server: Server, proxy: ForwardProxy, events: SocketEvents): Socket {
  const tunnel = openTunnel(proxy, server.hostname, server.port, (error) => {
    if (error !== undefined) {
      events.failed(error);
      events.closed();
      return;
    }
    const socket = heard(connectSecurely(server, { socket: tunnel }), true, events);
    socket.on("data", (chunk: Buffer) => {
      for (let from = 0; from < chunk.length && !socket.destroyed; from += received.length)
        events.received(chunk.copy(received, 0, from, from + received.length));
    });
  });
  return tunnel.unref();
}

function connectSecurely(server: Server, to: object): Socket {
  const { hostname, session } = server;
  return loadTls()
    .connect({
      ...to,
      host: hostname,
      ALPNProtocols: ["http/1.1"],
      ...(session === undefined ? {} : { session }),
      // Names only: TLS knows no addresses here (RFC 6066, section 3).
      ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    })
    .on("session", (fresh: Buffer) => {
      server.session = fresh;
    });
}

function heard(socket: Socket, secure: boolean, events: SocketEvents): Socket {
  return socket
    .once(secure ? "secureConnect" : "connect", () => events.opened(socket))
    .on("error", (error) => events.failed(error))
    .on("end", () => events.ended())
    .on("close", () => events.closed())
    .setNoDelay(true)
    .setKeepAlive(true, PROBE_AFTER)
    .unref();
}
