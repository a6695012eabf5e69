import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

/**
 * Gives a request that asks for another protocol than WebSocket, such as `h2c`, back to the server as if it had not
 * asked (RFC 9110, section 7.8: a server may ignore `Upgrade`). Before `shouldUpgradeCallback`, which came with
 * Node.js 24.9, all of them leave the HTTP parser as soon as somebody listens to one kind.
 */
export function plainAgain(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  const { rawHeaders } = request;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    const lower = name.toLowerCase();
    if (lower === "upgrade") continue;
    const value = lower === "connection" ? withoutUpgrade(rawHeaders[at + 1]!) : rawHeaders[at + 1]!;
    if (value !== "") lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  server.emit("connection", socket);
}

function withoutUpgrade(connection: string): string {
  return connection
    .split(",")
    .map((option) => option.trim())
    .filter((option) => option !== "" && option.toLowerCase() !== "upgrade")
    .join(", ");
}
