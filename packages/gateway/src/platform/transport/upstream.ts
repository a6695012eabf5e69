import type { LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { Agent, buildConnector, type Dispatcher } from "undici";
import type { CallSignal } from "../../util/light-signal.ts";
import { usesSpeedPaths } from "../../util/speed-paths.ts";
import { checkCallerUrl, checkLiteral, guardedLookup } from "./address-guard.ts";
import { Deadlines } from "./deadlines.ts";
import { callAborted, connectionFailure } from "./failures.ts";
import type { CallHandler } from "./h1/call-handler.ts";
import { Connections } from "./h1/connections.ts";
import { plainHead } from "./h1/plain-request.ts";
import { endToEnd } from "./headers.ts";
import { requirePlainAddress } from "./plain-address.ts";
import { type CallTimeouts, UpstreamCall, type UpstreamResponse } from "./upstream-call.ts";

/** One request to an upstream. */
export interface UpstreamRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A readable is sent as it comes, with back-pressure, and only once. */
  readonly body?: Buffer | Readable | undefined;
  /** Seconds; absent ones have the defaults. */
  readonly timeouts?: Partial<CallTimeouts>;
  readonly signal?: CallSignal | undefined;
  /** The URL comes from a caller: refuse addresses outside the public internet. */
  readonly guarded?: boolean;
}

/** Seconds. Reasoning models may be silent for minutes before the first byte and between two chunks. */
const defaultTimeouts: CallTimeouts = { connect: 10, firstByte: 600, betweenChunks: 300, whole: 6000 };

const poolOptions = {
  pipelining: 1,
  keepAliveTimeout: 20_000,
  keepAliveMaxTimeout: 120_000,
  maxHeaderSize: 65_536,
} as const;

/** An address as connections want it. */
interface Place {
  readonly origin: string;
  readonly path: string;
  /** What follows the method in a request's head, as far as it depends on the address. */
  readonly target: string;
}

/** Addresses remembered; those with ids in them come once. */
const MAX_PLACES = 500;

/**
 * The gateway's way out: pooled keep-alive connections per origin, streaming both ways, timeouts, abort. Plain
 * requests, which is what model calls are, go over connections of our own; uploads, addresses named by callers and
 * whatever else is unusual go through undici.
 */
export class Upstream {
  readonly #open: Agent;
  readonly #guarded: Agent;
  readonly #allowPrivateNetworks: () => boolean;
  readonly #usesOwnConnections: boolean;
  /** Calls keep the process alive, connections do not. */
  readonly #deadlines = new Deadlines({ keepsProcess: true });
  readonly #places = new Map<string, Place>();
  readonly #connections = new Map<string, Connections>();

  /**
   * @param allowPrivateNetworks asked for each guarded request, so that it may follow the configuration
   * @param usesOwnConnections for plain requests; without them all go through undici
   */
  constructor(allowPrivateNetworks: () => boolean = () => false, usesOwnConnections = usesSpeedPaths) {
    this.#usesOwnConnections = usesOwnConnections;
    this.#allowPrivateNetworks = allowPrivateNetworks;
    this.#open = new Agent({ ...poolOptions, connect: { timeout: 60_000 } });
    this.#guarded = new Agent({ ...poolOptions, connect: guardedConnector() });
  }

  /**
   * Sends one request and resolves with the head of whatever answer comes, 3xx, 4xx and 5xx included; redirects are
   * not followed. The body must be read or cancelled.
   * @throws GatewayError 502 unreachable, 504 timed out, 499 aborted, 400 a guarded address that is not public
   */
  request(request: UpstreamRequest): Promise<UpstreamResponse> {
    if (request.signal?.aborted) return Promise.reject(callAborted(request.signal.reason));
    return new Promise((resolve, reject) => {
      const isCallers = request.guarded === true;
      const guarded = isCallers && !this.#allowPrivateNetworks();
      if (guarded) checkCallerUrl(request.url);
      const place = isCallers ? placeOf(new URL(request.url)) : this.#placeOf(request.url);
      const timeouts = inMilliseconds(request.timeouts);
      const call = new UpstreamCall(timeouts, this.#deadlines, request.signal, resolve, reject);
      try {
        if (isCallers || !this.#sendPlainly(request, place, call))
          dispatch(guarded ? this.#guarded : this.#open, request, place, call);
      } catch (error) {
        call.onResponseError(undefined as never, connectionFailure(error, false));
      }
    });
  }

  /** @returns whether the request is of the plain kind and under way */
  #sendPlainly({ method, headers, body }: UpstreamRequest, place: Place, call: UpstreamCall): boolean {
    if (!this.#usesOwnConnections) return false;
    if (body !== undefined && !Buffer.isBuffer(body)) return false;
    const head = plainHead(method + place.target, method, headers, body?.length ?? 0);
    if (head === undefined) return false;
    this.#connectionsTo(place.origin).send({ head, body }, call);
    return true;
  }

  /**
   * Deployments have few addresses, which are the same in every call. Addresses at providers hold ids that callers
   * name; one that is `..` would lead the deployment's key to another resource.
   */
  #placeOf(address: string): Place {
    const known = this.#places.get(address);
    if (known !== undefined) return known;
    requirePlainAddress(address);
    const place = placeOf(new URL(address));
    if (this.#places.size >= MAX_PLACES) this.#places.clear();
    this.#places.set(address, place);
    return place;
  }

  #connectionsTo(origin: string): Connections {
    let connections = this.#connections.get(origin);
    if (connections === undefined) {
      connections = new Connections(origin);
      this.#connections.set(origin, connections);
    }
    return connections;
  }

  /** Cuts every connection. */
  async destroy(): Promise<void> {
    for (const connections of this.#connections.values()) connections.destroy();
    await Promise.all([this.#open.destroy(), this.#guarded.destroy()]);
  }
}

function placeOf({ origin, host, pathname, search }: URL): Place {
  const path = pathname + search;
  return { origin, path, target: ` ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n` };
}

function dispatch(agent: Agent, request: UpstreamRequest, { origin, path }: Place, call: UpstreamCall): void {
  agent.dispatch(
    {
      origin,
      path,
      method: request.method as Dispatcher.HttpMethod,
      headers: request.headers,
      body: request.body ?? null,
      // The call holds its deadlines itself; undici would make timers for each of them.
      headersTimeout: 0,
      bodyTimeout: 0,
    },
    undiciHandler(call),
  );
}

/** A call as undici's dispatcher wants it. */
function undiciHandler(call: CallHandler): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller) => call.onRequestStart(controller),
    onResponseStart: (controller, status, headers) => {
      // Interim answers, such as 103, come before the answer itself.
      if (status >= 200) call.onResponseStart(controller, status, endToEnd(headers));
    },
    onResponseData: (controller, chunk) => call.onResponseData(controller, chunk),
    onResponseEnd: (controller) => call.onResponseEnd(controller),
    onResponseError: (controller, error) => call.onResponseError(controller, error),
  };
}

/** Checks the host once more where the socket is made: IP addresses here, names in their lookup. */
function guardedConnector(): buildConnector.connector {
  const connect = buildConnector({ timeout: 60_000, lookup: guardedLookup as LookupFunction });
  return (options, callback) => {
    try {
      checkLiteral(options.hostname);
    } catch (error) {
      callback(error as Error, null as never);
      return;
    }
    connect(options, callback);
  };
}

function inMilliseconds(timeouts: Partial<CallTimeouts> = {}): CallTimeouts {
  const { connect, firstByte, betweenChunks, whole } = { ...defaultTimeouts, ...timeouts };
  return {
    connect: connect * 1000,
    firstByte: firstByte * 1000,
    betweenChunks: betweenChunks * 1000,
    whole: Math.min(whole * 1000, 2 ** 31 - 1),
  };
}
