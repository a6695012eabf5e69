import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { answerAdmin, faultRule } from "./admin/admin-routes.ts";
import { anthropicProvider } from "./anthropic/anthropic-provider.ts";
import { azureProvider } from "./azure/azure-provider.ts";
import { bedrockProvider } from "./bedrock/bedrock-provider.ts";
import { googleProvider } from "./google/google-provider.ts";
import { ApiFailure } from "./http/api-failure.ts";
import { readText } from "./http/body.ts";
import { dispatch, type Target } from "./http/dispatch.ts";
import type { Provider } from "./http/provider.ts";
import { answerPlainly, openSocket } from "./http/socket/open-socket.ts";
import type { SocketProtocol } from "./http/socket/socket-protocol.ts";
import type { Received } from "./journal/received.ts";
import { compatProvider, openAiProvider } from "./openai/openai-provider.ts";
import { SimulatorState } from "./state/simulator-state.ts";
import type { Clock } from "./util/clock.ts";
import { isObject, type JsonObject } from "./util/json.ts";
import { vertexProvider } from "./vertex/vertex-provider.ts";
import { xaiProviders } from "./xai/xai-provider.ts";

/** How to start a simulator. */
export interface SimulatorOptions {
  /** TCP port; 0 takes a free one. */
  readonly port?: number;
  /** Address to listen on; the simulator checks no real keys, so it stays on this machine by default. */
  readonly host?: string;
  /** Bytes that uploaded files may take on disk, 2 GiB by default. */
  readonly dataLimitBytes?: number;
  /** Time in milliseconds since 1970, `Date.now` by default. */
  readonly clock?: Clock;
}

/** A running simulator. */
export interface Simulator {
  readonly port: number;
  /** `http://host:port` without a slash at the end. */
  readonly url: string;
  /** Stops it, cuts open connections and deletes its temporary files. */
  close(): Promise<void>;
  /** The requests received, oldest first. */
  received(): Received[];
  /** Forgets requests, rules, settings and everything stored. */
  reset(): Promise<void>;
  /**
   * Adds a fault rule with the members of `POST /_admin/faults`, for example
   * `{ path: "/openai", fault: "status=429;retry-after=2", times: 1 }`. Throws for one that does nothing.
   */
  setFault(rule: JsonObject): void;
}

/** Starts a simulator and resolves once it listens. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const state = new SimulatorState(options.clock ?? Date.now, options.dataLimitBytes ?? 2 * 1024 ** 3);
  const providers = allProviders();
  const reset = async (): Promise<void> => {
    // Providers first: they stop what still writes files.
    await Promise.all(providers.map((provider) => provider.reset()));
    await state.reset();
  };
  /** Those that left the server for a WebSocket. */
  const sockets = new Set<Duplex>();
  const server = createServer(
    { shouldUpgradeCallback: (request) => socketAt(providers, request) !== undefined },
    (request, response) => {
      handle(state, providers, reset, request, response).catch(() => response.destroy());
    },
  );
  server.on("upgrade", (request, socket, head) => {
    const asked = socketAt(providers, request);
    if (asked === undefined) return answerPlainly(server, request, socket, head);
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    void openSocket(state, asked, { request, socket, head }, targetOf(request));
  });
  const host = options.host ?? "127.0.0.1";
  await listen(server, options.port ?? 0, host);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    received: () => state.journal.list(),
    reset,
    setFault: (rule) => state.rules.add(faultRule(rule)),
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      await closed;
      await reset();
    },
  };
}

function allProviders(): Provider[] {
  return [
    openAiProvider(),
    azureProvider(),
    compatProvider(),
    anthropicProvider(),
    googleProvider(),
    vertexProvider(),
    bedrockProvider(),
    ...xaiProviders(),
  ];
}

/** What a client's base address has behind the prefix of its provider. */
const bases: ReadonlyMap<string, string> = new Map([
  ["/openai", "/v1"],
  ["/azure", "/openai"],
  ["/compat", "/v1"],
  ["/anthropic", "/v1"],
  ["/google", "/v1beta"],
  ["/vertex", "/v1"],
  ["/xai", "/v1"],
]);

/** The prefixes that a simulator answers on, each followed by a provider's own paths. */
export function providerPrefixes(): string[] {
  return allProviders().map(({ prefix }) => prefix + (bases.get(prefix) ?? ""));
}

async function handle(
  state: SimulatorState,
  providers: readonly Provider[],
  reset: () => Promise<void>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { path, query } = targetOf(request);
  const provider = providerAt(providers, path);
  if (provider !== undefined) return dispatch(state, provider, request, response, { path, query });
  await handleAdmin(state, reset, request, response, path, query);
}

function targetOf(request: IncomingMessage): Target {
  const url = request.url ?? "/";
  const mark = url.indexOf("?");
  const path = mark < 0 ? url : url.slice(0, mark);
  return { path, query: new URLSearchParams(mark < 0 ? "" : url.slice(mark)) };
}

function providerAt(providers: readonly Provider[], path: string): Provider | undefined {
  return providers.find(({ prefix }) => path.startsWith(prefix) && path[prefix.length] === "/");
}

/** What a request for a WebSocket gets one of. */
function socketAt(
  providers: readonly Provider[],
  request: IncomingMessage,
): { readonly provider: Provider; readonly protocol: SocketProtocol } | undefined {
  if (request.method !== "GET" || request.headers.upgrade?.toLowerCase() !== "websocket") return undefined;
  const { path } = targetOf(request);
  const provider = providerAt(providers, path);
  const protocol = provider?.socket;
  if (provider === undefined || protocol === undefined) return undefined;
  return path === provider.prefix + protocol.path ? { provider, protocol } : undefined;
}

async function handleAdmin(
  state: SimulatorState,
  reset: () => Promise<void>,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: URLSearchParams,
): Promise<void> {
  try {
    const body = await adminBody(request);
    if (request.method === "POST" && path === "/_admin/reset") {
      await reset();
      return writeJson(response, 200, { reset: true });
    }
    const answer = answerAdmin(state, request.method ?? "GET", path, query, body);
    if (answer !== undefined) return writeJson(response, answer.status, answer.body);
    const known = [...providerPrefixes(), "/_admin"].join(", ");
    writeJson(response, 404, {
      error: { message: `Nothing is at ${path}; paths start with one of ${known}.` },
    });
  } catch (error) {
    const status = error instanceof ApiFailure ? error.status : 500;
    writeJson(response, status, {
      error: { message: error instanceof Error ? error.message : String(error) },
    });
  }
}

async function adminBody(request: IncomingMessage): Promise<JsonObject> {
  const text = await readText(request);
  if (text === "") return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new ApiFailure(400, "the body is not valid JSON");
  }
  if (!isObject(parsed)) throw new ApiFailure(400, "the body must be a JSON object");
  return parsed;
}

function writeJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function listen(server: Server, port: number, host: string): Promise<void> {
  // Slow bodies are something callers test; the simulator must not be the one that gives up.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 65_000;
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
