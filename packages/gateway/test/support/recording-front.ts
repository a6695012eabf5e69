import { request as ask, createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { SeenRequest } from "./recording-upstream.ts";

/** A way to another server that remembers what passed, byte by byte. */
export interface RecordingFront {
  readonly url: string;
  readonly seen: readonly Pick<SeenRequest, "method" | "path" | "body">[];
  /** Has every connection that is free now closed when the next request comes over it. */
  closeOnNext(): void;
  close(): Promise<void>;
}

export async function startRecordingFront(behind: string): Promise<RecordingFront> {
  const seen: { method: string; path: string; body: string }[] = [];
  const { hostname, port } = new URL(behind);
  const free = new Set<Socket>();
  let closing: ReadonlySet<Socket> = new Set();
  const server = createServer((request, response) => {
    if (closing.has(request.socket)) {
      request.socket.destroy();
      return;
    }
    free.delete(request.socket);
    response.once("close", () => {
      if (!request.socket.destroyed) free.add(request.socket);
    });
    const { method = "GET", url: path = "/", headers } = request;
    const entry = { method, path, body: "" };
    seen.push(entry);
    const onward = ask({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on("error", () => response.destroy());
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      entry.body += chunk;
      onward.write(chunk);
    });
    request.on("end", () => onward.end());
  });
  server.on("connection", (socket) => {
    socket.once("close", () => free.delete(socket));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    closeOnNext: () => {
      closing = new Set(free);
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
