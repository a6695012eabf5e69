import { connect as connectPlain, isIP, type Socket } from "node:net";

/** A server that connections lead to. */
export interface Server {
  readonly secure: boolean;
  readonly hostname: string;
  readonly port: number;
  /** The last TLS session, which makes the next connection's handshake short. */
  session: Buffer | undefined;
}

/** Bytes read at once, by all connections in turns: what is kept of them is copied. */
export const received = Buffer.allocUnsafeSlow(65_536);

/** Loads TLS, for which Node.js takes a while: when the first connection wants it, or somebody who has the time. */
export const loadTls = () => process.getBuiltinModule("node:tls");

/** Milliseconds without traffic after which the kernel asks whether the server is still there. */
const PROBE_AFTER = 60_000;

/**
 * Connects to a server. TLS is verified as usual, and speaks HTTP/1.1 only. The connection keeps no process alive: that
 * is for the calls on it.
 * @param onReceived told how many bytes there are in `received`, which the next read overwrites
 */
export function openSocket(server: Server, onReceived: (length: number) => boolean): Socket {
  const { secure, hostname, port, session } = server;
  const options = { host: hostname, port, onread: { buffer: received, callback: onReceived } };
  const socket = secure
    ? loadTls()
        .connect({
          ...options,
          ALPNProtocols: ["http/1.1"],
          ...(session === undefined ? {} : { session }),
          // Names only: TLS knows no addresses here (RFC 6066, section 3).
          ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
        })
        .on("session", (fresh: Buffer) => {
          server.session = fresh;
        })
    : connectPlain(options);
  return socket.setNoDelay(true).setKeepAlive(true, PROBE_AFTER).unref();
}
