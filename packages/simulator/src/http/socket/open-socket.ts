import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { SimulatorState } from "../../state/simulator-state.ts";
import { MAX_JSON } from "../body.ts";
import { dispatch, type Target } from "../dispatch.ts";
import type { Provider } from "../provider.ts";
import { SocketConnection } from "./socket-connection.ts";
import type { SocketProtocol } from "./socket-protocol.ts";

/**
 * Opens a WebSocket. Until it is open it is a GET like any other: keys, faults and the journal count for it.
 * Never rejects.
 */
export async function openSocket(
  state: SimulatorState,
  { provider, protocol }: { readonly provider: Provider; readonly protocol: SocketProtocol },
  caller: { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer },
  target: Target,
): Promise<void> {
  const { request, socket, head } = caller;
  socket.on("error", () => socket.destroy());
  const { WebSocketServer } = await import("ws");
  const library = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: MAX_JSON });
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Parameters<typeof response.assignSocket>[0]);
  response.once("finish", () => socket.end());
  const open = (): void => {
    response.detachSocket(socket as Parameters<typeof response.detachSocket>[0]);
    library.handleUpgrade(request, socket, head, (ws) => {
      new SocketConnection(state, provider, protocol, ws, { target, headers: request.headers });
    });
  };
  const route = {
    method: "GET",
    pattern: protocol.path,
    handle: () => ({ kind: "switched", open }) as const,
  };
  await dispatch(state, { ...provider, find: () => ({ route, params: {} }) }, request, response, target);
}

/**
 * Gives a request that asks for another protocol, such as `h2c`, back to the server as if it had not asked (RFC 9110,
 * section 7.8). Before `shouldUpgradeCallback`, which came with Node.js 24.9, all leave the HTTP parser as soon as
 * somebody listens to one kind.
 */
export function answerPlainly(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { rawHeaders } = request;
  const headers = rawHeaders.flatMap((name, at) =>
    at % 2 === 1 || /^(?:connection|upgrade|http2-settings)$/i.test(name)
      ? []
      : [`${name}: ${rawHeaders[at + 1]}`],
  );
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`, ...headers];
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  server.emit("connection", socket);
}
