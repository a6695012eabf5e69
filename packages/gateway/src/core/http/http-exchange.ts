import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Readable, Writable } from "node:stream";
import { type CallRecord, newCallRecord } from "../../contract/call-record.ts";
import type { BufferedReply, Exchange, Route, StreamedReply } from "../../contract/exchange.ts";
import type { Principal } from "../../contract/principal.ts";
import type { Family } from "../../contract/wire-format.ts";
import { LightSignal } from "../../util/light-signal.ts";
import type { FlatHeaders } from "./call-headers.ts";
import { callerAddress } from "./caller-address.ts";
import { PacedBody } from "./paced-body.ts";
import { readBody } from "./read-body.ts";

/** A request as the gateway reads it: node's own, or one that came in a frame of a WebSocket. */
export interface CallerRequest
  extends Readable,
    Pick<IncomingMessage, "method" | "url" | "headers" | "rawHeaders" | "complete"> {
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** Where the answer is written. */
export interface CallerResponse extends Writable, Pick<ServerResponse, "headersSent" | "statusCode"> {
  readonly socket: { cork(): void; uncork(): void } | null;
  writeHead(status: number, headers: string[]): unknown;
  flushHeaders(): void;
  writeContinue(): void;
}

/** Limits of request bodies. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** Milliseconds. */
  readonly timeout: number;
}

/** A request that came over HTTP. What most calls never ask for (query, signal) is made on demand. */
export class HttpExchange implements Exchange {
  readonly callId: string;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly params: Readonly<Record<string, string>>;
  readonly family: Family;
  principal: Principal;
  readonly call: CallRecord;
  readonly caller = new LightSignal();
  readonly #request: CallerRequest;
  readonly #response: CallerResponse;
  readonly #limits: BodyLimits;
  /** The address of the caller stands in `x-forwarded-for`. */
  trustsProxy = false;
  identify?: () => Promise<Principal>;
  #outlivesCaller = false;
  #query: URLSearchParams | undefined;
  #awaitsContinue: boolean;

  constructor(
    request: CallerRequest,
    response: CallerResponse,
    route: Route,
    callId: string,
    path: string,
    params: Readonly<Record<string, string>>,
    principal: Principal,
    limits: BodyLimits,
    awaitsContinue: boolean,
  ) {
    this.callId = callId;
    this.method = request.method ?? "GET";
    this.path = path;
    this.headers = request.headers;
    this.params = params;
    this.family = route.family;
    this.principal = principal;
    this.call = newCallRecord(route.callType);
    this.#request = request;
    this.#response = response;
    this.#limits = limits;
    this.#awaitsContinue = awaitsContinue;
    if (response.destroyed) this.caller.abort(callerLeft());
  }

  get query(): URLSearchParams {
    if (this.#query === undefined) {
      const url = this.#request.url ?? "";
      const question = url.indexOf("?");
      this.#query = new URLSearchParams(question === -1 ? "" : url.slice(question + 1));
    }
    return this.#query;
  }

  get address(): string {
    return callerAddress(this.#request, this.trustsProxy);
  }

  get signal(): AbortSignal {
    return this.caller.abortSignal;
  }

  /** The connection closed; aborts what still works for the caller unless the answer was complete. */
  closed(): void {
    if (!this.#response.writableFinished && !this.#outlivesCaller) this.caller.abort(callerLeft());
  }

  abort(reason: unknown): void {
    this.caller.abort(reason);
  }

  outliveCaller(): void {
    this.#outlivesCaller = true;
  }

  readBody(): Promise<Buffer> {
    this.#continue();
    return readBody(this.#request, this.#limits.maxBytes, this.#limits.timeout);
  }

  bodyStream(): Readable {
    this.#continue();
    return new PacedBody(this.#request, this.#limits.timeout);
  }

  /** Tells a client that sent `Expect: 100-continue` to go on, once its length is known to be acceptable. */
  #continue(): void {
    if (!this.#awaitsContinue) return;
    this.#awaitsContinue = false;
    const announced = Number(this.headers["content-length"] ?? 0);
    if (announced <= this.#limits.maxBytes) this.#response.writeContinue();
  }
}

function callerLeft(): Error {
  return new DOMException("The caller left before the answer was complete", "AbortError");
}

/** Bodies up to this size are copied behind their head rather than written apart. */
const JOINED_BYTES = 32_768;

/** Types of answers that browsers never take for a page. */
const DATA = /^(?:application\/(?:[\w.-]+\+)?json|text\/event-stream)\s*(?:;|$)/i;

/**
 * Keeps a browser from running what an answer carries: tenants and providers decide on the type and bytes of files and of
 * what passes through, and a page that an administrator opens here would act in the administrator's session.
 */
export function addSandbox(headers: FlatHeaders, reply: BufferedReply | StreamedReply): void {
  const own = reply.headers;
  const type = own?.["content-type"];
  if (type === undefined ? "body" in reply && !(reply.body instanceof Uint8Array) : DATA.test(type)) return;
  if (own?.["x-content-type-options"] === undefined) headers.push("x-content-type-options", "nosniff");
  if (own?.["content-security-policy"] === undefined)
    headers.push("content-security-policy", "default-src 'none'; sandbox");
}

/** Sends an answer that is held in memory. */
export function writeBuffered(response: CallerResponse, reply: BufferedReply, headers: FlatHeaders): void {
  const { body } = reply;
  let bytes: string | Uint8Array;
  if (typeof body === "string" || body instanceof Uint8Array) bytes = body;
  else {
    bytes = JSON.stringify(body);
    if (reply.headers?.["content-type"] === undefined) headers.push("content-type", "application/json");
  }
  if (reply.status !== 204 && reply.headers?.["content-length"] === undefined) {
    const length = typeof bytes === "string" ? Buffer.byteLength(bytes) : bytes.byteLength;
    headers.push("content-length", String(length));
  }
  response.writeHead(reply.status, headers);
  // Head and body leave in one write when the body is text; Latin-1 keeps every byte as it is.
  if (typeof bytes !== "string" && bytes.byteLength <= JOINED_BYTES)
    response.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"), "latin1");
  else response.end(bytes);
}

/**
 * Sends a stream chunk by chunk, as fast as the caller reads. A stream that throws, or whose caller left, cuts the
 * connection, so that nobody takes a broken answer for a whole one.
 * @throws what the stream threw
 */
export function writeStreamed(
  response: CallerResponse,
  reply: StreamedReply,
  headers: FlatHeaders,
): Promise<void> {
  response.writeHead(reply.status, headers);
  // What of the stream is there already leaves in one write with the head, which waits for no more than that.
  const { socket } = response;
  socket?.cork();
  process.nextTick(() => socket?.uncork());
  response.flushHeaders();
  return pass(reply.stream, response);
}

/** Apart from what begins the answer, so that a stream that stands for minutes holds nothing of that. */
async function pass(stream: AsyncIterable<Uint8Array>, response: CallerResponse): Promise<void> {
  const source = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      let read: IteratorResult<Uint8Array> | undefined = await source.next();
      if (read.done === true) break;
      if (response.destroyed) {
        await source.return?.();
        return;
      }
      const isFull = !response.write(read.value);
      // A function that waits keeps its variables, and a chunk the 64 KiB that it was cut from.
      read = undefined;
      if (isFull) await writable(response);
    }
  } catch (error) {
    // A caller that left aborts its call, whose stream then ends in an error that is nobody's fault.
    if (response.destroyed) return;
    response.destroy();
    throw error;
  }
  response.end();
}

/** Resolves when the response takes more, or never will. */
function writable(response: CallerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    if (response.destroyed || !response.writableNeedDrain) resolve();
    else response.on("drain", done).on("close", done);
  });
}
