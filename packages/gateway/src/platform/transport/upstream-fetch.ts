import { Readable } from "node:stream";
import type { UpstreamFetch } from "../../contract/provider.ts";
import { FetchedAnswer } from "./fetched-answer.ts";
import type { ResponseHeaders } from "./headers.ts";
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
  readonly onResponse?: (headers: ResponseHeaders, url: string) => void;
}

/**
 * The gateway's transport in the shape of WHATWG `fetch`, for libraries that want one. Bodies: text, bytes, or a web
 * stream. Answers are asked for without compression; redirects are handed back, not followed.
 */
export function upstreamFetch(upstream: Upstream, defaults: FetchDefaults = {}): UpstreamFetch {
  return async (input, init) => {
    if (typeof input === "string" && defaults.guarded !== true) requirePlainAddress(input);
    const { url, method, headers } = headOf(input, init);
    const response = await upstream.request({
      url,
      method,
      headers,
      body: await requestBody(init?.body),
      timeouts: defaults.timeouts,
      guarded: defaults.guarded ?? false,
      record: defaults.record,
      isRepeatable: defaults.isRepeatable,
      signal: joinSignals(init?.signal ?? undefined, defaults.signal),
    } as UpstreamRequest);
    defaults.onResponse?.(response.headers, url);
    return new FetchedAnswer(response);
  };
}

const half = { duplex: "half" } as const;
/** What `fetch` says of a text whose type nobody names. */
const TEXT_TYPE = "text/plain;charset=UTF-8";

type Input = Parameters<UpstreamFetch>[0];
type Head = Pick<UpstreamRequest, "url" | "method" | "headers">;

/** What model calls send is plain enough to need no `Request`, whose making takes longer than the sending. */
function headOf(input: Input, init: RequestInit = {}): Head {
  const { body, headers } = init;
  if (typeof input === "string" && isRecord(headers) && (body == null || typeof body === "string"))
    return { url: input, method: init.method ?? "GET", headers: plainHeaders(headers, body != null) };
  const request = new Request(input, { ...init, ...(body instanceof ReadableStream ? half : {}) });
  const { "accept-encoding": _, "content-length": __, ...rest } = Object.fromEntries(request.headers);
  return {
    url: request.url,
    method: request.method,
    headers: { ...rest, "accept-encoding": "identity" },
  };
}

function isRecord(headers: RequestInit["headers"]): headers is Record<string, string> | undefined {
  return headers === undefined || Object.getPrototypeOf(headers) === Object.prototype;
}

/** As `Headers` has them: names in lower case, values without space around them, those of one name together. */
function plainHeaders(
  given: Readonly<Record<string, string>> | undefined,
  hasText: boolean,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name in given) {
    const key = name.toLowerCase();
    if (key === "accept-encoding" || key === "content-length") continue;
    const value = String(given[name]).trim();
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
  }
  if (hasText) headers["content-type"] ??= TEXT_TYPE;
  headers["accept-encoding"] = "identity";
  return headers;
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
