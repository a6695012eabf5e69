import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";

/** A request that reached the proxy. */
export interface ProxyRequest {
  readonly method: string;
  /** As it stands in the request line. */
  readonly target: string;
  readonly headers: IncomingMessage["headers"];
}

/** A small proxy, as companies put between their machines and the internet. */
export interface TestProxy {
  readonly url: string;
  readonly requests: ProxyRequest[];
  /** How many connections it has had. */
  connections: number;
  close(): void;
}

/** How a test wants its proxy. */
export interface TestProxyOptions {
  /** The ports on this machine where hosts are, which no resolver knows. */
  readonly hosts: Readonly<Record<string, number>>;
  /** Refuses whoever does not say this. */
  readonly authorization?: string;
  /** Makes it speak TLS itself. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Does this in the place of opening a tunnel. */
  readonly onConnect?: (socket: Socket) => void;
}

/** Starts one. It asks no resolver: what is not among its hosts is answered with 502. */
export async function startTestProxy(options: TestProxyOptions): Promise<TestProxy> {
  const requests: ProxyRequest[] = [];
  const sockets = new Set<Socket>();
  const server: Server = options.tls === undefined ? createServer() : createSecureServer(options.tls);
  const isRefused = (headers: IncomingMessage["headers"]) =>
    options.authorization !== undefined && headers["proxy-authorization"] !== options.authorization;

  server.on("request", (request, response) => {
    requests.push({ method: request.method!, target: request.url!, headers: request.headers });
    if (isRefused(request.headers)) return response.writeHead(407).end();
    const url = URL.parse(request.url!);
    const port = url === null ? undefined : options.hosts[url.hostname];
    if (port === undefined) return response.writeHead(502).end();
    const { "proxy-authorization": _, ...headers } = request.headers;
    const onward = { port, host: "127.0.0.1", method: request.method, path: url!.pathname + url!.search };
    const passed = httpRequest({ ...onward, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    passed.on("error", () => response.destroy());
    response.on("close", () => passed.destroy());
    request.pipe(passed);
  });
  server.on("connect", (request: IncomingMessage, socket: Socket) => {
    requests.push({ method: "CONNECT", target: request.url!, headers: request.headers });
    socket.on("error", () => undefined);
    if (options.onConnect !== undefined) return options.onConnect(socket);
    if (isRefused(request.headers))
      return socket.end("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n");
    const port = options.hosts[request.url!.replace(/:\d+$/, "")];
    if (port === undefined) return socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    const onward = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy()).on("close", () => socket.destroy());
    socket.on("close", () => onward.destroy());
  });
  const proxy = {
    url: "",
    requests,
    connections: 0,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  server.on("connection", (socket: Socket) => {
    proxy.connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  proxy.url = options.tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`;
  return proxy;
}
