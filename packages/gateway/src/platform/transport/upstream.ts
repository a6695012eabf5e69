import type { Readable } from "node:stream";
import { invalidRequest } from "../../contract/errors.ts";
import type { CallSignal } from "../../util/light-signal.ts";
import { usesSpeedPaths } from "../../util/speed-paths.ts";
import type { GatewayConfig } from "../config/gateway-config.ts";
import { checkCallerUrl } from "./address-guard.ts";
import { Deadlines } from "./deadlines.ts";
import { callAborted, connectionFailure } from "./failures.ts";
import { Connections } from "./h1-connections.ts";
import { plainHead } from "./h1-heads.ts";
import { authorizationLine, Proxies } from "./proxies.ts";
import type { UndiciCalls } from "./undici-calls.ts";
import { type CallTimeouts, type SentRecord, UpstreamCall, type UpstreamResponse } from "./upstream-call.ts";
import type { Place } from "./upstream-place.ts";

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
  /**
   * Whether twice is as good as once, also where its method does not say so (RFC 9110, section 9.2.2). Such a request goes
   * out once more where the server closes a kept connection on it; any other gets no connection that was free for long.
   */
  readonly isRepeatable?: boolean | undefined;
  /** Told when the request begins to go out. */
  readonly record?: SentRecord | undefined;
  /** The URL comes from a caller: refuse addresses outside the public internet. */
  readonly guarded?: boolean;
}

/** Seconds. Reasoning models may be silent for minutes before the first byte and between two chunks. */
const defaultTimeouts: CallTimeouts = { connect: 10, firstByte: 600, betweenChunks: 300, whole: 6000 };

/** The settings that each request follows; without them callers' addresses are guarded and the defaults hold. */
export interface UpstreamSettings {
  /** Names the proxies on the way. */
  readonly environment?: GatewayConfig["environment"];
  readonly commandLine: Pick<GatewayConfig["commandLine"], "requestTimeout">;
  readonly routerSettings: Pick<GatewayConfig["routerSettings"], "timeout">;
  readonly gatewaySettings: Pick<GatewayConfig["gatewaySettings"], "requestTimeout" | "allowPrivateNetworks">;
}

/** Addresses remembered; those with ids in them come once. */
const MAX_PLACES = 500;

/**
 * The gateway's way out: pooled keep-alive connections per origin, streaming both ways, timeouts, abort. Plain
 * requests, which is what model calls are, go over connections of our own; uploads, addresses named by callers and
 * whatever else is unusual go through undici.
 */
export class Upstream {
  #undici: Promise<UndiciCalls> | undefined;
  readonly #config: { readonly current?: UpstreamSettings };
  readonly #usesOwnConnections: boolean;
  /** Calls keep the process alive, connections do not. */
  readonly #deadlines = new Deadlines({ keepsProcess: true });
  readonly #places = new Map<string, Place>();
  #environment: UpstreamSettings["environment"];
  #proxies = new Proxies({});
  readonly #connections = new Map<string, Connections>();

  /** @param usesOwnConnections for plain requests; without them all go through undici */
  constructor(config: { readonly current?: UpstreamSettings } = {}, usesOwnConnections = usesSpeedPaths) {
    this.#usesOwnConnections = usesOwnConnections;
    this.#config = config;
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
      const guarded = isCallers && this.#config.current?.gatewaySettings.allowPrivateNetworks !== true;
      if (guarded) checkCallerUrl(request.url);
      const proxies = this.#currentProxies();
      const place = isCallers ? placeOf(new URL(request.url), proxies) : this.#placeOf(request.url, proxies);
      const timeouts = inMilliseconds(request.timeouts, requestTimeout(this.#config.current));
      const call = new UpstreamCall(timeouts, this.#deadlines, request, resolve, reject);
      try {
        if (isCallers || !this.#sendPlainly(request, place, call))
          this.#dispatch(request, place, call, guarded).catch((error: unknown) => failUnsent(call, error));
      } catch (error) {
        failUnsent(call, error);
      }
    });
  }

  /** undici is loaded by the first request that goes through it: that takes as long as a tenth of a start. */
  async #dispatch(
    request: UpstreamRequest,
    place: Place,
    call: UpstreamCall,
    isGuarded: boolean,
  ): Promise<void> {
    this.#undici ??= import("./undici-calls.ts").then(({ UndiciCalls }) => new UndiciCalls());
    await (await this.#undici).send(
      { ...request, isRepeatable: isRepeatable(request) },
      place,
      call,
      isGuarded,
    );
  }

  /** @returns whether the request is of the plain kind and under way */
  #sendPlainly(request: UpstreamRequest, place: Place, call: UpstreamCall): boolean {
    const { method, headers, body } = request;
    if (!this.#usesOwnConnections) return false;
    if (body !== undefined && !Buffer.isBuffer(body)) return false;
    const head = plainHead(method + place.target, method, headers, body?.length ?? 0);
    if (head === undefined) return false;
    this.#connectionsTo(place).send({ head, body, isRepeatable: isRepeatable(request) }, call);
    return true;
  }

  /**
   * Deployments have few addresses, which are the same in every call. Addresses at providers hold ids that callers
   * name; one that is `..` would lead the deployment's key to another resource.
   */
  #placeOf(address: string, proxies: Proxies): Place {
    const known = this.#places.get(address);
    if (known !== undefined) return known;
    requirePlainAddress(address);
    const place = placeOf(new URL(address), proxies);
    if (this.#places.size >= MAX_PLACES) this.#places.clear();
    this.#places.set(address, place);
    return place;
  }

  /** The file's `environment_variables` may name others after a reload. */
  #currentProxies(): Proxies {
    const environment = this.#config.current?.environment;
    if (environment !== this.#environment) {
      this.#environment = environment;
      this.#proxies = new Proxies(environment ?? {});
      this.#places.clear();
    }
    return this.#proxies;
  }

  #connectionsTo({ origin, proxy }: Place): Connections {
    const way = proxy === undefined ? origin : `${proxy.id} ${origin}`;
    let connections = this.#connections.get(way);
    if (connections === undefined) {
      connections = new Connections(origin, proxy);
      this.#connections.set(way, connections);
    }
    return connections;
  }

  /** Cuts every connection. */
  async destroy(): Promise<void> {
    for (const connections of this.#connections.values()) connections.destroy();
    await (await this.#undici)?.destroy();
  }
}

/** Ends a call of which nothing has gone out. */
function failUnsent(call: UpstreamCall, error: unknown): void {
  call.onResponseError(undefined as never, connectionFailure(error, false));
}

/** Methods of which twice is as good as once (RFC 9110, section 9.2.2). */
const idempotent: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/** A body that comes as it is sent can be sent only once. */
function isRepeatable({ method, body, isRepeatable: isSaid }: UpstreamRequest): boolean {
  const isWhole = body === undefined || Buffer.isBuffer(body);
  return isWhole && (isSaid ?? idempotent.has(method));
}

function placeOf(url: URL, proxies: Proxies): Place {
  const { protocol, origin, host, pathname, search } = url;
  const proxy = proxies.for(url);
  const isPassedOn = proxy !== undefined && protocol === "http:";
  const path = (isPassedOn ? origin : "") + pathname + search;
  const authorization = isPassedOn ? authorizationLine(proxy) : "";
  const target = ` ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n${authorization}`;
  return { origin, path, target, proxy };
}

/** @param wait seconds without an answer, for calls that have no limit as a whole */
function inMilliseconds(timeouts: Partial<CallTimeouts> = {}, wait?: number): CallTimeouts {
  const defaults = timeouts.whole === undefined && wait !== undefined ? waiting(wait) : defaultTimeouts;
  const { connect, firstByte, betweenChunks, whole } = { ...defaults, ...timeouts };
  return {
    connect: connect * 1000,
    firstByte: firstByte * 1000,
    betweenChunks: betweenChunks * 1000,
    whole: Math.min(whole * 1000, 2 ** 31 - 1),
  };
}

/** A request that may last, such as a download, as long as something comes. */
function waiting(wait: number): CallTimeouts {
  const { connect, betweenChunks, whole } = defaultTimeouts;
  return {
    connect: Math.min(connect, wait),
    firstByte: wait,
    betweenChunks: Math.min(betweenChunks, wait),
    whole: Math.max(whole, wait),
  };
}

/**
 * What URL parsers do not take as it stands: dot segments in the spellings that they resolve, once or twice encoded,
 * backslashes, which they take for slashes, and control characters and spaces, which they leave out (WHATWG URL, 4.4).
 */
const changing =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0020\u007f]|^[^?#]*(?:\\|%(?:25)*5c|\/(?:\.|%(?:25)*2e){1,2}(?:[/?#]|%(?:25)*2f|$))/i;

/**
 * The last look at an address before anything parses it; `upstreamPath` has refused the same already where callers
 * name something.
 * @throws GatewayError 400
 */
export function requirePlainAddress(address: string): void {
  if (changing.test(address)) throw invalidRequest("An id in the request is not valid.");
}

/** Seconds. A deployment's own time-out, and the one that a caller's header asks for, come with their call. */
function requestTimeout(settings: UpstreamSettings | undefined): number | undefined {
  if (settings === undefined) return undefined;
  const { commandLine, routerSettings, gatewaySettings } = settings;
  return commandLine.requestTimeout ?? routerSettings.timeout ?? gatewaySettings.requestTimeout;
}
