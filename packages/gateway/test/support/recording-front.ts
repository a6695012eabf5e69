import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { SeenRequest } from "./recording-upstream.ts";

/** A way to another server that remembers what passed, byte by byte. */
export interface RecordingFront {
  readonly url: string;
  readonly seen: readonly Pick<SeenRequest, "method" | "path" | "body">[];
  close(): Promise<void>;
}

export async function startRecordingFront(behind: string): Promise<RecordingFront> {
  const seen: { method: string; path: string; body: string }[] = [];
  const { hostname, port } = new URL(behind);
  const server = createServer((request, response) => {
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
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
