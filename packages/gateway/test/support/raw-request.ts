import { request } from "node:http";

/** What came back. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A request whose path goes out as it is written; `fetch` resolves `..` and backslashes first. */
export function rawRequest(
  base: string,
  method: string,
  path: string,
  key: string,
  body?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(base);
  const all = {
    authorization: `Bearer ${key}`,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    // Node's client says by itself how long a body is, but for methods that rarely have one.
    ...(body === undefined || method !== "DELETE" ? {} : { "content-length": `${Buffer.byteLength(body)}` }),
    ...headers,
  };
  return new Promise((answered, failed) => {
    const call = request({ host: hostname, port, method, path, headers: all, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        answered({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString("utf8"),
        }),
      );
      response.on("error", failed);
    });
    call.on("error", failed);
    call.end(body);
  });
}
