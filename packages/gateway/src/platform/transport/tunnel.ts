import { connect as connectPlain, isIP, type Socket } from "node:net";
import { ProxyFailure } from "./failures.ts";
import { loadTls } from "./load-tls.ts";
import { authorizationLine, type ForwardProxy } from "./proxies.ts";

/** Milliseconds in which a proxy must have opened a tunnel, where a call does not give up before. */
const TUNNEL_TIMEOUT = 60_000;
/** Bytes of a proxy's answer to a CONNECT. */
const MAX_HEAD = 16_384;
const HEAD_END = "\r\n\r\n";

/** Connects to a proxy itself, by TLS where its address says so. */
export function connectToProxy({ secure, hostname, port }: ForwardProxy, options: object = {}): Socket {
  const to = { host: hostname, port, ...options };
  // Names only: TLS knows no addresses here (RFC 6066, section 3).
  const name = isIP(hostname) === 0 ? { servername: hostname } : {};
  return secure ? loadTls().connect({ ...to, ...name, ALPNProtocols: ["http/1.1"] }) : connectPlain(to);
}

/**
 * Opens a way through a proxy to a host (RFC 9110, section 9.3.6).
 * @param done is called once: with nothing read of what comes behind the proxy's answer, or with what failed
 * @returns the connection to the proxy, to be given up by destroying it
 */
export function openTunnel(
  proxy: ForwardProxy,
  host: string,
  port: number,
  done: (error: Error | undefined) => void,
): Socket {
  const socket = connectToProxy(proxy);
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  let head = "";
  const connected = proxy.secure ? "secureConnect" : "connect";
  const request = `CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${authorizationLine(proxy)}\r\n`;
  const start = () => socket.write(request, "latin1");
  const read = () => {
    for (let piece = socket.read(); piece !== null; piece = socket.read()) {
      head += (piece as Buffer).toString("latin1");
      const end = head.indexOf(HEAD_END);
      if (end !== -1) return finish(refusal(head, end));
      if (head.length > MAX_HEAD) return finish(new ProxyFailure("the proxy's answer to CONNECT has no end"));
    }
  };
  const close = () => finish(new ProxyFailure("the proxy closed the connection before it opened a tunnel"));
  const late = setTimeout(
    () => finish(new ProxyFailure("the proxy opened no tunnel in time")),
    TUNNEL_TIMEOUT,
  );
  late.unref();
  const finish = (error: Error | undefined): void => {
    clearTimeout(late);
    socket.off(connected, start).off("readable", read).off("end", close).off("close", close);
    // One more may come of a socket that is destroyed; nobody is told of it.
    if (error !== undefined) socket.once("error", () => undefined).destroy();
    socket.off("error", finish);
    done(error);
  };
  socket.once(connected, start).on("readable", read).once("end", close).once("close", close);
  return socket.once("error", finish).setNoDelay(true);
}

/** What a proxy's answer is other than the tunnel asked for. */
function refusal(head: string, end: number): Error | undefined {
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1];
  if (status === undefined) return new ProxyFailure("the proxy's answer to CONNECT is not HTTP/1.1");
  if (!status.startsWith("2")) return new ProxyFailure(`the proxy answered CONNECT with status ${status}`);
  // A server that speaks TLS waits for its client.
  return head.length === end + HEAD_END.length
    ? undefined
    : new ProxyFailure("the proxy sent more than its answer");
}
