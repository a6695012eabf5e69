import { Readable } from "node:stream";
import type { UpstreamFetch } from "../../contract/provider.ts";
import { type ResponseBody, tooLarge } from "./response-body.ts";
import { requirePlainAddress, type Upstream, type UpstreamRequest } from "./upstream.ts";
import type { UpstreamResponse } from "./upstream-call.ts";

/** What a call adds to every request that a provider's library makes. */
export interface FetchDefaults {
  readonly timeouts?: UpstreamRequest["timeouts"];
  readonly signal?: AbortSignal;
  readonly guarded?: boolean;
  readonly record?: UpstreamRequest["record"];
  /** Of every request, whatever its method is. */
  readonly isRepeatable?: boolean;
  /** Told of each answer's head, for what the library does not pass on. */
  readonly onResponse?: (response: UpstreamResponse, url: string) => void;
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
    defaults.onResponse?.(response, url);
    return fetchedAnswer(response);
  };
}

/** The answer's body chunk by chunk; of the transport's own without a web stream around it. `null` where there is none. */
export function chunksOf(response: Response): AsyncIterable<Uint8Array> | null {
  return response instanceof FetchedAnswer ? response.chunks() : response.body;
}

/** Libraries ask whether an answer is a `Response`. Node.js takes long to load that: only once there is an answer. */
function fetchedAnswer(response: UpstreamResponse): Response {
  if (!(FetchedAnswer.prototype instanceof Response))
    Object.setPrototypeOf(FetchedAnswer.prototype, Response.prototype);
  return new FetchedAnswer(response);
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

/** Bytes of an answer that is read whole. */
const MAX_BYTES = 128 * 1024 * 1024;
/** Bytes of a refusal. */
const MAX_ERROR_BYTES = 1024 * 1024;

const BYTE_ORDER_MARK = 0xfeff;
/** Statuses whose answers have no body (WHATWG Fetch, "null body status"). */
const EMPTY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * An answer of the transport as WHATWG `fetch` has it, with everything of its own. Read whole, which nearly all are, it needs no web stream, and its
 * `Headers` are made for those who ask for them.
 */
class FetchedAnswer implements Response {
  readonly status: number;
  readonly ok: boolean;
  readonly statusText = "";
  readonly type = "default";
  readonly url = "";
  readonly redirected = false;
  readonly #answer: UpstreamResponse;
  #headers: Headers | undefined;
  #stream: ReadableStream<Uint8Array<ArrayBuffer>> | null | undefined;
  #isRead = false;

  constructor(answer: UpstreamResponse) {
    this.#answer = answer;
    this.status = answer.status;
    this.ok = answer.status >= 200 && answer.status < 300;
    if (!EMPTY.has(answer.status)) return;
    answer.body.cancel();
    this.#stream = null;
  }

  get headers(): Headers {
    this.#headers ??= webHeaders(this.#answer.headers);
    return this.#headers;
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    if (this.#stream !== undefined) return this.#stream;
    const { body, headers } = this.#answer;
    if (!this.ok) this.#stream = textStream(body.startOfText(MAX_ERROR_BYTES));
    else this.#stream = webStream(body, isOfEvents(headers) ? Number.POSITIVE_INFINITY : MAX_BYTES);
    return this.#stream;
  }

  /** The body as it arrives, without an end to its length where it is a stream of events. Leaving it cuts the connection. */
  chunks(): AsyncIterable<Uint8Array> | null {
    if (this.#stream !== undefined || !this.ok || !isOfEvents(this.#answer.headers)) return this.body;
    if (this.#isRead) throw alreadyRead();
    this.#isRead = true;
    return this.#answer.body;
  }

  get bodyUsed(): boolean {
    return this.#isRead;
  }

  async text(): Promise<string> {
    if (this.#stream !== undefined) return this.#streamed().text();
    const whole = (await this.#whole()).toString("utf8");
    const text = this.ok ? whole : this.#answer.body.readable(whole);
    return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text()) as unknown;
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#streamed().arrayBuffer();
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.arrayBuffer());
  }

  textStream(): ReadableStream<string> {
    return this.#streamed().textStream();
  }

  blob(): Promise<Blob> {
    return this.#streamed().blob();
  }

  formData(): Promise<FormData> {
    return this.#streamed().formData();
  }

  clone(): Response {
    const [own, other] = this.body?.tee() ?? [null, null];
    this.#stream = own as ReadableStream<Uint8Array<ArrayBuffer>> | null;
    return new Response(other, { status: this.status, headers: this.headers });
  }

  async #whole(): Promise<Buffer> {
    if (this.#isRead) throw alreadyRead();
    this.#isRead = true;
    return this.#answer.body.bytes(MAX_BYTES);
  }

  #streamed(): Response {
    const { body, headers, status } = this;
    this.#isRead = true;
    return new Response(body, { headers, status });
  }
}

function alreadyRead(): TypeError {
  return new TypeError("The answer has been read already.");
}

function webHeaders(source: UpstreamResponse["headers"]): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(source)) {
    for (const item of [value ?? []].flat()) headers.append(name, item);
  }
  return headers;
}

/** What a refusal says, for libraries that read it by its stream. */
function textStream(text: Promise<string>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode(await text));
      controller.close();
    },
  });
}

/** Whether an answer is read as it comes; libraries collect every other one, some by its stream. */
function isOfEvents({ "content-type": type }: UpstreamResponse["headers"]): boolean {
  return /^(?:text\/event-stream|application\/vnd\.amazon\.eventstream)\b/i.test(String(type));
}

/** @param limit bytes after which it breaks */
function webStream(body: ResponseBody, limit: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let size = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await body.next();
        if (done) return controller.close();
        size += value.length;
        if (size <= limit) return controller.enqueue(value as Uint8Array<ArrayBuffer>);
        body.cancel();
        controller.error(tooLarge());
      },
      async cancel() {
        await body.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
