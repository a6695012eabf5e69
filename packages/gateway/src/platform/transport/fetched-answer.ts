import type { UpstreamResponse } from "./upstream-call.ts";

/** Bytes of an answer that is read whole. */
const MAX_BYTES = 128 * 1024 * 1024;

const BYTE_ORDER_MARK = 0xfeff;
/** Statuses whose answers have no body (WHATWG Fetch, "null body status"). */
const EMPTY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Libraries ask whether an answer is a `Response`; all that one has is overridden. */
const WebResponse = Response as unknown as new () => object;

/**
 * An answer of the transport as WHATWG `fetch` has it. Read whole, which nearly all are, it needs no web stream, and its
 * `Headers` are made for those who ask for them.
 */
export class FetchedAnswer extends WebResponse implements Response {
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
    super();
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
    if (this.#stream === undefined) this.#stream = webStream(this.#answer.body);
    return this.#stream;
  }

  get bodyUsed(): boolean {
    return this.#isRead;
  }

  async text(): Promise<string> {
    if (this.#stream !== undefined) return this.#streamed().text();
    const text = (await this.#whole()).toString("utf8");
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
    if (this.#isRead) throw new TypeError("The answer has been read already.");
    this.#isRead = true;
    return this.#answer.body.bytes(MAX_BYTES);
  }

  #streamed(): Response {
    const { body, headers, status } = this;
    this.#isRead = true;
    return new Response(body, { headers, status });
  }
}

function webHeaders(source: UpstreamResponse["headers"]): Headers {
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
