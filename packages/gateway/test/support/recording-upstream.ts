import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as an upstream got it. */
export interface SeenRequest {
  readonly method: string;
  /** As it stood in the request line. */
  readonly path: string;
  readonly body: string;
  readonly authorization: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** An upstream that answers whatever it is asked and remembers it. */
export interface RecordingUpstream {
  readonly url: string;
  /** Since the last call of `forget`. */
  readonly seen: readonly SeenRequest[];
  forget(): void;
  close(): Promise<void>;
}

export type Answerer = (
  request: SeenRequest,
) => { readonly status?: number; readonly body: unknown } | undefined;

/** @param answer what it answers; `undefined` leaves it to a plain object with an id */
export async function startRecordingUpstream(answer: Answerer = () => undefined): Promise<RecordingUpstream> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = await textOf(request);
    const { authorization, "api-key": apiKey } = request.headers;
    const one: SeenRequest = {
      method: request.method ?? "",
      path: request.url ?? "",
      body,
      authorization: authorization ?? (typeof apiKey === "string" ? apiKey : undefined),
      headers: request.headers,
    };
    seen.push(one);
    const given = answer(one) ?? { body: { id: "up_1", object: "thing", data: [], has_more: false } };
    response.writeHead(given.status ?? 200, { "content-type": "application/json" });
    response.end(JSON.stringify(given.body));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    forget: () => void seen.splice(0),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
