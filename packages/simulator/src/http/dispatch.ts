import { behaviourFromHeaders, mergeBehaviour, plainBehaviour } from "../faults/behaviour.ts";
import type { Received } from "../journal/received.ts";
import { StorageFull } from "../state/blob-store.ts";
import type { SimulatorState } from "../state/simulator-state.ts";
import { stringOf } from "../util/json.ts";
import { ApiFailure } from "./api-failure.ts";
import type { CallerRequest, CallerResponse, Exchange } from "./exchange.ts";
import type { Provider } from "./provider.ts";
import { readJson } from "./read-json.ts";
import { sendFailure, sendReply } from "./send.ts";
import { throwStatusFault } from "./status-fault.ts";
import { isForm, readTexts } from "./upload.ts";

/** Where a request goes: its path without query, and its query. */
export interface Target {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Takes one request of a provider from its first byte to its journal entry. Never throws. */
export async function dispatch(
  state: SimulatorState,
  provider: Provider,
  request: CallerRequest,
  response: CallerResponse,
  target: Target,
): Promise<void> {
  const exchange = openExchange(state, provider, request, response, target);
  try {
    await answer(exchange, provider);
  } catch (error) {
    await sendFailure(exchange, provider, failureOf(error));
  }
}

async function answer(exchange: Exchange, provider: Provider): Promise<void> {
  const { state } = exchange;
  const match = provider.find(exchange);
  provider.authenticate(exchange);
  if (match === undefined) {
    throw new ApiFailure(404, `Invalid URL (${exchange.method} ${exchange.path})`, { code: null });
  }
  exchange.params = match.params;
  if (match.route.body === "any" && isForm(exchange)) await readTexts(exchange);
  else if (match.route.body !== "stream" && exchange.method !== "GET") await readJson(exchange);
  const model = stringOf(exchange.body.model) ?? match.params.model ?? match.params.deployment;
  if (model !== undefined) {
    exchange.received.model = model;
    state.counters.countModel(model);
  }
  const ruled = state.rules.take(exchange.received, model);
  const asked = hasSimHeader(exchange.request)
    ? behaviourFromHeaders(exchange.request.headers)
    : plainBehaviour;
  if (ruled !== plainBehaviour || asked !== plainBehaviour) exchange.behaviour = mergeBehaviour(ruled, asked);
  throwStatusFault(exchange.behaviour);
  const reply = await match.route.handle(exchange);
  await sendReply(exchange, provider, reply);
}

function openExchange(
  state: SimulatorState,
  provider: Provider,
  request: CallerRequest,
  response: CallerResponse,
  target: Target,
): Exchange {
  const received: Received = {
    sequence: state.journal.nextSequence(),
    time: state.clock(),
    method: request.method ?? "GET",
    path: target.path,
    query: target.query.size === 0 ? {} : Object.fromEntries(target.query),
    headers: request.headers,
    bytes: 0,
    status: 0,
    chunks: 0,
    aborted: false,
    done: false,
  };
  state.journal.add(received);
  state.counters.countPath(target.path);
  response.on("close", () => {
    received.status = response.headersSent ? response.statusCode : 0;
    received.aborted = !response.writableFinished;
    received.done = true;
    received.endedAt = state.clock();
  });
  return {
    state,
    request,
    response,
    method: received.method,
    path: target.path.slice(provider.prefix.length),
    query: target.query,
    params: {},
    requestId: state.ids.next(provider.requestIdPrefix),
    received,
    text: "",
    body: {},
    behaviour: plainBehaviour,
  };
}

function hasSimHeader(request: CallerRequest): boolean {
  for (const name in request.headers) if (name.startsWith("x-sim-")) return true;
  return false;
}

function failureOf(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  if (error instanceof StorageFull) return new ApiFailure(413, error.message);
  return new ApiFailure(
    500,
    `The simulator failed: ${error instanceof Error ? error.message : String(error)}`,
  );
}
