import type { LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { checkLiteral, guardedLookup, publicAddress } from "./address-guard.ts";
import { endToEnd } from "./headers.ts";
import { bare, type ForwardProxy, portOf } from "./proxies.ts";
import { openTunnel } from "./tunnel.ts";
import type { CallHandler } from "./upstream-call.ts";
import type { Place } from "./upstream-place.ts";

const poolOptions = {
  keepAliveTimeout: 20_000,
  keepAliveMaxTimeout: 120_000,
  maxHeaderSize: 65_536,
} as const;

/** Milliseconds; calls give up on their own before. */
const CONNECT_TIMEOUT = 60_000;

/** A request that goes out through undici. */
interface UndiciRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | Readable | undefined;
  /** It may be sent once more where its connection was closed before anything of an answer came. */
  readonly isRepeatable: boolean;
}

/** Connections that are kept, and those that serve one request each. */
interface Connected {
  readonly kept: Agent;
  readonly single: Agent;
}

/** undici's connections: for uploads, addresses that callers name, and whatever else our own do not carry. */
export class UndiciCalls {
  /** Those that callers name an address for are guarded; each proxy has its own. */
  readonly #connected = new Map<string, Connected>();
  readonly #open = buildConnector({ timeout: CONNECT_TIMEOUT });
  readonly #guard = buildConnector({ timeout: CONNECT_TIMEOUT, lookup: guardedLookup as LookupFunction });

  /** @param isGuarded whether the address must lead into the public internet */
  async send(request: UndiciRequest, place: Place, call: CallHandler, isGuarded: boolean): Promise<void> {
    const { kept, single } = this.#connectedBy(place.proxy, isGuarded);
    const { proxy, origin } = place;
    const isPassedOn = proxy !== undefined && origin.startsWith("http:");
    const path = isPassedOn && isGuarded ? await addressed(place) : place.path;
    const headers = isPassedOn ? { ...request.headers, ...passedOn(proxy, origin) } : request.headers;
    dispatch(request.isRepeatable ? kept : single, { ...request, headers }, { ...place, path }, call);
  }

  #connectedBy(proxy: ForwardProxy | undefined, isGuarded: boolean): Connected {
    const way = `${isGuarded} ${proxy?.id ?? ""}`;
    let connected = this.#connected.get(way);
    if (connected === undefined) {
      connected = connectedBy(this.#connector(proxy, isGuarded));
      this.#connected.set(way, connected);
    }
    return connected;
  }

  #connector(proxy: ForwardProxy | undefined, isGuarded: boolean): buildConnector.connector {
    if (proxy !== undefined) return proxiedConnector(this.#open, proxy, isGuarded);
    return isGuarded ? guardedConnector(this.#guard) : this.#open;
  }

  async destroy(): Promise<void> {
    const all = [...this.#connected.values()].flatMap(({ kept, single }) => [kept, single]);
    await Promise.all(all.map((agent) => agent.destroy()));
  }
}

function connectedBy(connect: buildConnector.connector): Connected {
  return {
    kept: new Agent({ ...poolOptions, pipelining: 1, connect }),
    single: new Agent({ ...poolOptions, pipelining: 0, connect }),
  };
}

/** What a proxy that passes a request on reads of its head. */
function passedOn({ authorization }: ForwardProxy, origin: string): Record<string, string> {
  const { host } = new URL(origin);
  return authorization === undefined ? { host } : { host, "proxy-authorization": authorization };
}

/** The whole address for the proxy, with the host's address in the place of its name: the proxy may know another one. */
async function addressed({ path }: Place): Promise<string> {
  const url = new URL(path);
  const address = await publicAddress(bare(url.hostname));
  url.hostname = address.includes(":") ? `[${address}]` : address;
  return url.href;
}

function dispatch(
  agent: Agent,
  request: UndiciRequest,
  place: Place,
  call: CallHandler,
  isAgain = false,
): void {
  const { origin, path } = place;
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
    undiciHandler(
      call,
      isAgain || !request.isRepeatable ? undefined : () => dispatch(agent, request, place, call, true),
    ),
  );
}

/** What undici says of a connection that was closed, or whose server did so meanwhile. */
const closed: ReadonlySet<unknown> = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);

/**
 * A call as undici's dispatcher wants it.
 * @param again sends it once more where its connection was closed before anything of an answer came
 */
function undiciHandler(call: CallHandler, again: (() => void) | undefined): Dispatcher.DispatchHandler {
  let hasBegun = false;
  return {
    onRequestStart: (controller) => call.onRequestStart(controller),
    onResponseStart: (controller, status, headers) => {
      // Interim answers, such as 103, come before the answer itself.
      hasBegun = true;
      if (status >= 200) call.onResponseStart(controller, status, endToEnd(headers));
    },
    onResponseData: (controller, chunk) => call.onResponseData(controller, chunk),
    onResponseEnd: (controller) => call.onResponseEnd(controller),
    onResponseError: (controller, error) => {
      const code = "code" in error ? error.code : undefined;
      if (again !== undefined && !hasBegun && closed.has(code)) again();
      else call.onResponseError(controller, error);
    },
  };
}

/** Checks the host once more where the socket is made: IP addresses here, names in their lookup. */
function guardedConnector(connect: buildConnector.connector): buildConnector.connector {
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

/**
 * Connects through a proxy: to the proxy itself for what it passes on, by a tunnel for TLS.
 * @param isGuarded the tunnel leads to the address that was looked up here: the proxy may look into other networks
 */
function proxiedConnector(
  connect: buildConnector.connector,
  proxy: ForwardProxy,
  isGuarded: boolean,
): buildConnector.connector {
  const toProxy = {
    hostname: proxy.hostname,
    host: proxy.hostname,
    protocol: proxy.secure ? "https:" : "http:",
    port: String(proxy.port),
  };
  return (options, callback) => {
    if (options.protocol === "http:") {
      connect(toProxy, callback);
      return;
    }
    const name = bare(options.hostname);
    const fail = (error: Error) => callback(error, null as never);
    const tunnelTo = (host: string) => {
      const socket = openTunnel(proxy, host, portOf(options.protocol, options.port), (error) => {
        if (error === undefined) connect({ ...options, httpSocket: socket }, callback);
        else fail(error);
      });
    };
    if (isGuarded) publicAddress(name).then(tunnelTo, fail);
    else tunnelTo(name);
  };
}
