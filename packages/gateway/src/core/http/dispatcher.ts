import type { CallTrace, TraceStarts } from "../../contract/call-trace.ts";
import { GatewayError, invalidRequest, notFound, toGatewayError } from "../../contract/errors.ts";
import type { BufferedReply, Exchange, Handler, Route, StreamedReply } from "../../contract/exchange.ts";
import { anonymous, type Principal, type Restrictions } from "../../contract/principal.ts";
import type { Family } from "../../contract/wire-format.ts";
import type { ConfigSource } from "../../platform/config/gateway-config.ts";
import { redact } from "../../platform/log/redact.ts";
import type { Authenticator } from "../auth/authenticate.ts";
import { requireAdministrator } from "../auth/permissions.ts";
import { requireRoute } from "../auth/restrictions.ts";
import { appendCallHeaders, callIdOf, type FlatHeaders, headerSafe } from "./call-headers.ts";
import { requireAllowedAddress } from "./caller-address.ts";
import { errorBody, errorHeaders, withoutForeignIds } from "./error-body.ts";
import {
  addSandbox,
  type BodyLimits,
  type CallerRequest,
  type CallerResponse,
  HttpExchange,
  writeBuffered,
  writeStreamed,
} from "./http-exchange.ts";
import type { RequestObserver } from "./log-request.ts";
import { noParams, RouteTable } from "./route-table.ts";

/** Milliseconds after which a body that nobody reads any more costs its sender the connection. */
const UNREAD_BODY_TIMEOUT = 2000;

/** What a request needs on its way from bytes to handler and back. */
export interface DispatcherParts {
  readonly routes: readonly Route[];
  readonly authenticator: Authenticator;
  readonly config: ConfigSource;
  readonly observe: RequestObserver;
  readonly traces?: TraceStarts;
  /** Told of each call that failed, also where its handler never came as far as its hooks. */
  readonly failed?: (exchange: Exchange, error: GatewayError) => void;
}

/** A request between its arrival and its end. */
interface Passage {
  readonly request: CallerRequest;
  readonly response: CallerResponse;
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

  /** Does what no call has to wait for if it is done before. */
  prepare(): void {
    this.#routes.prepare();
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

  /**
   * Never rejects.
   * @param instead takes the place of the route's handler
   */
  async handle(
    request: CallerRequest,
    response: CallerResponse,
    awaitsContinue: boolean,
    instead?: Handler,
  ): Promise<void> {
    this.#running++;
    const passage = start(request, response);
    response.on("close", () => this.#end(passage));
    try {
      requireOneReading(request);
      const route = this.#match(passage);
      const principal = route.access === "public" ? anonymous : this.#identify(passage, route);
      passage.principal = principal instanceof Promise ? await principal : principal;
      if (passage.principal.restrictions !== undefined)
        this.#restrict(passage, route, passage.principal.restrictions);
      if (route.access === "admin") requireAdministrator(passage.principal, route.method);
      const hasKey = request.headers["idempotency-key"] !== undefined;
      const handler = instead ?? (hasKey ? route.onceHandler : undefined) ?? route.handler;
      const { traces } = this.#parts;
      const trace = (
        passage.principal.logging === undefined ? traces?.ofAll : await traces?.ofTeams()
      )?.begin(request.headers);
      const reply = await handler(this.#exchange(passage, route, passage.principal, awaitsContinue, trace));
      if ("stream" in reply) await this.#writeStream(passage, reply);
      else this.#writeWhole(passage, reply);
    } catch (thrown) {
      passage.error = withoutForeignIds(toGatewayError(thrown), passage.exchange?.call);
      if (passage.exchange !== undefined) this.#parts.failed?.(passage.exchange, passage.error);
      this.#writeError(passage, passage.error);
    }
    if (!request.complete) giveUpOn(request);
  }

  /** The route whose requests come over WebSockets to this address, where there is one. */
  socketRoute({ method, url = "/" }: Pick<CallerRequest, "method" | "url">): Route | undefined {
    const route = method === "GET" ? this.#routes.find("POST", pathOf(url))?.route : undefined;
    return route?.socket === undefined ? undefined : route;
  }

  /**
   * Who wants to open a WebSocket, by the rules of a request to the route.
   * @throws GatewayError as for such a request
   */
  async admit(request: CallerRequest, route: Route): Promise<Principal> {
    if (this.#draining) throw goingAway();
    requireOneReading(request);
    return this.#admitted({ request, path: pathOf(request.url ?? "/") }, route);
  }

  /** Who asks, under the rules of a request that needs a key. */
  async #admitted(passage: Pick<Passage, "request" | "path">, route: Route): Promise<Principal> {
    const principal = await this.#identify(passage, route);
    if (principal.restrictions !== undefined) this.#restrict(passage, route, principal.restrictions);
    return principal;
  }

  /** Bytes that a body of the route may have. */
  maxBodyBytes(route: Route): number {
    return this.#bodyLimits(route).maxBytes;
  }

  /** Tells log and metrics of a WebSocket's end, or that it was refused. */
  observe: RequestObserver = (request) => {
    const { call } = request;
    call?.trace?.requestEnded({ ...request, record: call }, request);
    this.#parts.observe(request);
  };

  #match(passage: Passage): Route {
    if (this.#draining) throw goingAway();
    const match = this.#routes.find(passage.request.method ?? "", passage.path);
    if (match === undefined) throw this.#noRoute(passage);
    const { route, params } = match;
    const isGoogles = route.sharedWith === "google" && isGoogleCaller(passage.request);
    passage.route = isGoogles ? { ...route, family: "google" } : route;
    passage.params = params;
    passage.family = passage.route.family;
    return passage.route;
  }

  #identify({ request }: Pick<Passage, "request">, route: Route): Principal | Promise<Principal> {
    const { generalSettings } = this.#parts.config.current;
    if (generalSettings.allowedIps !== undefined)
      requireAllowedAddress(request, generalSettings.allowedIps, generalSettings.useXForwardedFor);
    const queryKey = route.family === "google" ? queryKeyOf(request) : undefined;
    return this.#parts.authenticator.identify(request.headers, queryKey);
  }

  /** Holds a key to the paths and addresses that it and the levels above it allow. */
  #restrict(
    { request, path }: Pick<Passage, "request" | "path">,
    route: Route,
    restrictions: Restrictions,
  ): void {
    const { useXForwardedFor } = this.#parts.config.current.generalSettings;
    for (const addresses of restrictions.addresses)
      requireAllowedAddress(request, addresses, useXForwardedFor);
    requireRoute(restrictions, { route, path });
  }

  #exchange(
    passage: Passage,
    route: Route,
    principal: Principal,
    awaitsContinue: boolean,
    trace: CallTrace | undefined,
  ): HttpExchange {
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
    if (route.access === "public") passage.exchange.identify = () => this.#admitted(passage, route);
    else passage.exchange.call.trace = trace;
    passage.exchange.trustsProxy = this.#parts.config.current.generalSettings.useXForwardedFor;
    return passage.exchange;
  }

  #bodyLimits(route: Route): BodyLimits {
    const { maxRequestSizeMb, bodyTimeout } = this.#parts.config.current.generalSettings;
    return { maxBytes: route.maxBodyBytes ?? maxRequestSizeMb * 2 ** 20, timeout: bodyTimeout * 1000 };
  }

  #noRoute({ request, path }: Passage): GatewayError {
    const shown = redact(path.slice(0, 200));
    const methods = this.#routes.methodsOf(path);
    // To Google's clients a verb behind the model's name is part of the path.
    const isUnknownVerb =
      request.method === "POST" && (isGooglePath(path) || this.#routes.endsInUnknownWord(path));
    if (methods.length === 0 || isUnknownVerb)
      return notFound(`There is no endpoint ${shown}${this.#routes.hintFor(path)}`);
    const allow = methods.join(", ");
    const message = `${shown} takes ${allow}, not ${request.method}`;
    return new GatewayError(405, "invalid_request_error", message, { headers: { allow } });
  }

  #writeWhole(passage: Passage, reply: BufferedReply): void {
    const { response } = passage;
    if (!response.destroyed) writeBuffered(response, reply, this.#headersOf(passage, reply));
  }

  #writeStream(passage: Passage, reply: StreamedReply): Promise<void> | undefined {
    const { request, response } = passage;
    if (response.destroyed) return undefined;
    // What has read the body hears nothing any more, and the stream may stand for minutes.
    if (request.readableEnded) request.removeAllListeners();
    return writeStreamed(response, reply, this.#headersOf(passage, reply));
  }

  #headersOf(passage: Passage, reply: BufferedReply | StreamedReply): FlatHeaders {
    const headers = this.#headers(passage, reply.headers);
    // Pages that are the gateway's own are open to everybody.
    if (passage.route?.access !== "public") addSandbox(headers, reply);
    return headers;
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
      const compat = this.#parts.config.current.gatewaySettings.compatHeaders === "litellm";
      appendCallHeaders(headers, callId, exchange.call, exchange.principal, compat);
    }
    return headers;
  }

  /** The connection is done with this request, one way or the other. */
  #end(passage: Passage): void {
    passage.exchange?.closed();
    this.observe({
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

function start(request: CallerRequest, response: CallerResponse): Passage {
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

/** A host and a port (RFC 3986, section 3.2); none is allowed where the address has none. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

/**
 * Two readers of one request must not see two hosts or two paths in it: behind a `#`, which no client sends, the router
 * looks at nothing, and a rule about paths at everything.
 * @throws GatewayError 400 for two hosts, one that is none, or a fragment (RFC 9112, section 3.2)
 */
function requireOneReading({ headers, rawHeaders, url = "/" }: CallerRequest): void {
  if (url.includes("#"))
    throw invalidRequest("The address of a request has no fragment; write # as %23 where a name has one");
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === "host") hosts++;
  if (hosts <= 1 && HOST.test(headers.host ?? "")) return;
  throw invalidRequest("The header `host` must name one host");
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
  if (isGooglePath(path)) return "google";
  return path.startsWith("/v1/messages") || path.startsWith("/anthropic/") ? "anthropic" : "openai";
}

function goingAway(): GatewayError {
  return new GatewayError(503, "overloaded_error", "The gateway is shutting down; try again", {
    retryAfter: 1,
  });
}

/** The answer is there but the request is still arriving: reads on for a moment so that the answer gets through. */
function giveUpOn(request: CallerRequest): void {
  request.resume();
  const timer = setTimeout(() => {
    if (!request.complete) request.destroy();
  }, UNREAD_BODY_TIMEOUT);
  timer.unref();
  request.once("close", () => clearTimeout(timer));
}

/** Paths that only Google's API has, also where nothing answers below them. */
const GOOGLE_PATH = /^\/(?:gemini\/|v1(?:beta1?|alpha)(?:\/|$))|\/models\/[^?]*:[A-Za-z]+$/;

/** Whether a path is one of Google's API. */
function isGooglePath(path: string): boolean {
  return GOOGLE_PATH.test(path);
}

/** Whether a request comes from one of Google's clients: each of these is theirs alone. */
function isGoogleCaller(request: CallerRequest): boolean {
  const { headers } = request;
  return (
    headers["x-goog-api-key"] !== undefined ||
    headers["x-goog-api-client"] !== undefined ||
    queryKeyOf(request) !== undefined
  );
}

/** The key in the address (`?key=`), as Google's REST clients may send it. */
function queryKeyOf({ url = "" }: CallerRequest): string | undefined {
  const question = url.indexOf("?");
  if (question === -1) return undefined;
  return new URLSearchParams(url.slice(question + 1)).get("key") ?? undefined;
}
