import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Readable, Writable } from "node:stream";
import { type CallRecord, newCallRecord } from "../../contract/call-record.ts";
import type { Exchange, Route } from "../../contract/exchange.ts";
import type { Principal } from "../../contract/principal.ts";
import type { Family } from "../../contract/wire-format.ts";
import { LightSignal } from "../../util/light-signal.ts";
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
