import { Readable } from "node:stream";
import type { UpstreamFetch } from "../../contract/provider.ts";
import { requirePlainAddress, type Upstream, type UpstreamRequest } from "./upstream.ts";

/** What a call adds to every request that a provider's library makes. */
export interface FetchDefaults {
  readonly timeouts?: UpstreamRequest["timeouts"];
  readonly signal?: AbortSignal;
  readonly guarded?: boolean;
  readonly record?: UpstreamRequest["record"];
  /** Of every request, whatever its method is. */
  readonly isRepeatable?: boolean;
  /** Told of each answer's head, for the headers that the library does not pass on. */
  readonly onResponse?: (status: number, headers: Headers, url: string) => void;
}

/**
 * The gateway's transport in the shape of WHATWG `fetch`, for libraries that want one. Bodies: text, bytes, or a web
 * stream. Answers are asked for without compression; redirects are handed back, not followed.
 */
export function upstreamFetch(upstream: Upstream, defaults: FetchDefaults = {}): UpstreamFetch {
  return async (input, init) => {
    if (typeof input === "string" && defaults.guarded !== true) requirePlainAddress(input);
    const request = new Request(input, { ...init, ...(init?.body instanceof ReadableStream ? half : {}) });
    const response = await upstream.request({
      url: request.url,
      method: request.method,
      headers: requestHeaders(request.headers),
      body: await requestBody(init?.body),
      timeouts: defaults.timeouts,
      guarded: defaults.guarded ?? false,
      record: defaults.record,
      isRepeatable: defaults.isRepeatable,
      signal: joinSignals(init?.signal ?? undefined, defaults.signal),
    } as UpstreamRequest);
    const headers = responseHeaders(response.headers);
    defaults.onResponse?.(response.status, headers, request.url);
    const empty = response.status === 204 || response.status === 205 || response.status === 304;
    if (empty) response.body.cancel();
    return new Response(empty ? null : webStream(response.body), { status: response.status, headers });
  };
}

const half = { duplex: "half" } as const;

function requestHeaders(headers: Headers): Record<string, string> {
  const { "accept-encoding": _, "content-length": __, ...rest } = Object.fromEntries(headers);
  return { ...rest, "accept-encoding": "identity" };
}

async function requestBody(body: unknown): Promise<Buffer | Readable | undefined> {
  if (body === undefined || body === null) return undefined;
  if (typeof body === "string") return Buffer.from(body);
  if (body instanceof ReadableStream) return Readable.fromWeb(body as never);
  return Buffer.from(await new Response(body as Uint8Array<ArrayBuffer>).arrayBuffer());
}

function joinSignals(a: AbortSignal | undefined, b: AbortSignal | undefined): AbortSignal | undefined {
  if (a === undefined || b === undefined || a === b) return a ?? b;
  return AbortSignal.any([a, b]);
}

function responseHeaders(source: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(source)) {
    for (const item of [value ?? []].flat()) headers.append(name, item);
  }
  return headers;
}

function webStream(
  body: AsyncIterable<Buffer> & AsyncIterator<Buffer>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await body.next();
        if (done) controller.close();
        else controller.enqueue(value as Uint8Array<ArrayBuffer>);
      },
      async cancel() {
        await body.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
