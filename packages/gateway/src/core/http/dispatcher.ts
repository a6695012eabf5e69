import type { IncomingMessage, ServerResponse } from "node:http";
import { GatewayError, notFound, toGatewayError } from "../../contract/errors.ts";
import type { BufferedReply, Exchange, Route, StreamedReply } from "../../contract/exchange.ts";
import { anonymous, type Principal } from "../../contract/principal.ts";
import type { Family } from "../../contract/wire-format.ts";
import type { ConfigSource } from "../../platform/config/gateway-config.ts";
import { redact } from "../../platform/log/redact.ts";
import type { Authenticator } from "../auth/authenticate.ts";
import { requireAdministrator } from "../auth/permissions.ts";
import { appendCallHeaders, type FlatHeaders, headerSafe } from "./call-headers.ts";
import { callIdOf } from "./call-id.ts";
import { requireAllowedAddress } from "./caller-address.ts";
import { errorBody, errorHeaders } from "./error-body.ts";
import { type BodyLimits, HttpExchange } from "./http-exchange.ts";
import type { RequestObserver } from "./request-log.ts";
import { noParams, RouteTable } from "./route-table.ts";
import { withoutForeignIds } from "./without-foreign-ids.ts";
import { writeBuffered, writeStreamed } from "./write-reply.ts";

/** Milliseconds after which a body that nobody reads any more costs its sender the connection. */
const UNREAD_BODY_TIMEOUT = 2000;

/** What a request needs on its way from bytes to handler and back. */
export interface DispatcherParts {
  readonly routes: readonly Route[];
  readonly authenticator: Authenticator;
  readonly config: ConfigSource;
  readonly observe: RequestObserver;
  /** Told of each call that failed, also where its handler never came as far as its hooks. */
  readonly failed?: (exchange: Exchange, error: GatewayError) => void;
}

/** A request between its arrival and its end. */
interface Passage {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly callId: string;
  readonly path: string;
  readonly startedAt: number;
  family: Family;
  route: Route | undefined;
  params: Readonly<Record<string, string>>;
  principal: Principal | undefined;
  exchange: HttpExchange | undefined;
  error: GatewayError | undefined;
}

/** Takes each request through route, authentication and handler, and writes what comes out, errors included. */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #routes: RouteTable;
  #running = 0;
  #draining = false;
  #whenIdle: (() => void) | undefined;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    this.#routes = new RouteTable(parts.routes);
  }

  /** Calls that are not answered yet. */
  get running(): number {
    return this.#running;
  }

  /** From now on new calls get 503. */
  drain(): void {
    this.#draining = true;
  }

  /** Resolves when no call is running. */
  idle(): Promise<void> {
    if (this.#running === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenIdle = resolve;
    });
  }

  /** Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): Promise<void> {
    this.#running++;
    const passage = start(request, response);
    response.on("close", () => this.#end(passage));
    try {
      const route = this.#match(passage);
      const principal = this.#identify(passage, route);
      passage.principal = principal instanceof Promise ? await principal : principal;
      if (route.access === "admin") requireAdministrator(passage.principal, route.method);
      const reply = await route.handler(this.#exchange(passage, route, passage.principal, awaitsContinue));
      if ("stream" in reply) await this.#writeStream(passage, reply);
      else this.#writeWhole(passage, reply);
    } catch (thrown) {
      passage.error = withoutForeignIds(toGatewayError(thrown), passage.exchange?.call);
      if (passage.exchange !== undefined) this.#parts.failed?.(passage.exchange, passage.error);
      this.#writeError(passage, passage.error);
    }
    if (!request.complete) giveUpOn(request);
  }

  #match(passage: Passage): Route {
    if (this.#draining) throw goingAway();
    const match = this.#routes.find(passage.request.method ?? "", passage.path);
    if (match === undefined) throw this.#noRoute(passage);
    passage.route = match.route;
    passage.params = match.params;
    passage.family = match.route.family;
    return match.route;
  }

  #identify({ request }: Passage, route: Route): Principal | Promise<Principal> {
    if (route.access === "public") return anonymous;
    requireAllowedAddress(request, this.#parts.config.current());
    return this.#parts.authenticator.identify(request.headers);
  }

  #exchange(passage: Passage, route: Route, principal: Principal, awaitsContinue: boolean): HttpExchange {
    const { request, response, callId, path, params } = passage;
    const limits = this.#bodyLimits(route);
    passage.exchange = new HttpExchange(
      request,
      response,
      route,
      callId,
      path,
      params,
      principal,
      limits,
      awaitsContinue,
    );
    return passage.exchange;
  }

  #bodyLimits(route: Route): BodyLimits {
    const { maxRequestSizeMb, bodyTimeout } = this.#parts.config.current().generalSettings;
    return { maxBytes: route.maxBodyBytes ?? maxRequestSizeMb * 2 ** 20, timeout: bodyTimeout * 1000 };
  }

  #noRoute({ request, path }: Passage): GatewayError {
    const shown = redact(path.slice(0, 200));
    const methods = this.#routes.methodsOf(path);
    if (methods.length === 0) return notFound(`There is no endpoint ${shown}${this.#routes.hintFor(path)}`);
    const allow = methods.join(", ");
    const message = `${shown} takes ${allow}, not ${request.method}`;
    return new GatewayError(405, "invalid_request_error", message, { headers: { allow } });
  }

  #writeWhole(passage: Passage, reply: BufferedReply): void {
    const { response } = passage;
    if (!response.destroyed) writeBuffered(response, reply, this.#headers(passage, reply.headers));
  }

  async #writeStream(passage: Passage, reply: StreamedReply): Promise<void> {
    const { response } = passage;
    if (!response.destroyed) await writeStreamed(response, reply, this.#headers(passage, reply.headers));
  }

  /** After the first byte nothing can be said any more: the connection was cut instead. */
  #writeError(passage: Passage, error: GatewayError): void {
    const { response } = passage;
    if (response.headersSent || response.destroyed) return;
    const body = errorBody(error, passage.family, passage.callId);
    const headers = this.#headers(passage, errorHeaders(error));
    if (this.#draining) headers.push("connection", "close");
    writeBuffered(response, { status: error.status, headers: {}, body: JSON.stringify(body) }, headers);
  }

  #headers({ callId, exchange }: Passage, own: Readonly<Record<string, string>> | undefined): FlatHeaders {
    const headers: FlatHeaders = [];
    for (const name in own) headers.push(name, headerSafe(own[name]!));
    if (exchange === undefined) headers.push("x-portico-call-id", callId);
    else {
      const compat = this.#parts.config.current().gatewaySettings.compatHeaders === "litellm";
      appendCallHeaders(headers, callId, exchange.call, exchange.principal, compat);
    }
    return headers;
  }

  /** The connection is done with this request, one way or the other. */
  #end(passage: Passage): void {
    passage.exchange?.closed();
    this.#parts.observe({
      callId: passage.callId,
      method: passage.request.method ?? "",
      route: passage.route?.path,
      path: passage.path,
      status: passage.response.headersSent ? passage.response.statusCode : 499,
      durationMs: Date.now() - passage.startedAt,
      principal: passage.principal,
      call: passage.exchange?.call,
      error: passage.error,
    });
    this.#running--;
    if (this.#running === 0) this.#whenIdle?.();
  }
}

function start(request: IncomingMessage, response: ServerResponse): Passage {
  const path = pathOf(request.url ?? "/");
  return {
    request,
    response,
    callId: callIdOf(request.headers),
    path,
    startedAt: Date.now(),
    family: familyOf(path),
    route: undefined,
    params: noParams,
    principal: undefined,
    exchange: undefined,
    error: undefined,
  };
}

function pathOf(url: string): string {
  const question = url.indexOf("?");
  const path = question === -1 ? url : url.slice(0, question);
  if (path.startsWith("/")) return path;
  // The absolute form that proxies send (RFC 9112, section 3.2.2).
  return URL.canParse(path) ? new URL(path).pathname : "/";
}

/** Whose errors a path without a route gets. */
function familyOf(path: string): Family {
  return path.startsWith("/v1/messages") || path.startsWith("/anthropic/") ? "anthropic" : "openai";
}

function goingAway(): GatewayError {
  return new GatewayError(503, "overloaded_error", "The gateway is shutting down; try again", {
    retryAfter: 1,
  });
}

/** The answer is there but the request is still arriving: reads on for a moment so that the answer gets through. */
function giveUpOn(request: IncomingMessage): void {
  request.resume();
  const timer = setTimeout(() => {
    if (!request.complete) request.destroy();
  }, UNREAD_BODY_TIMEOUT);
  timer.unref();
  request.once("close", () => clearTimeout(timer));
}
