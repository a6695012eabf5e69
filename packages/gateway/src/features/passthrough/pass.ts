import { GatewayError, invalidRequest } from "../../contract/errors.ts";
import type { Exchange, Reply } from "../../contract/exchange.ts";
import { PASSED_REQUEST } from "../../contract/hook.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { readJsonObject } from "../../contract/json-body.ts";
import { hasBudget } from "../../contract/principal.ts";
import { governed } from "../../core/objects/governed-call.ts";
import type { ResourceDeps } from "../../core/objects/resource-deps.ts";
import { headerValue } from "../../platform/transport/headers.ts";
import type { UpstreamResponse } from "../../platform/transport/upstream-call.ts";
import { noPassedBody, type PassedBody, readPassedBody, type SentBody } from "./passed-body.ts";
import { headersOfAnswer } from "./passed-headers.ts";

/** Where a request passes through to. */
interface Destination {
  /** The path of the request as it was read. */
  readonly route: string;
  readonly query: URLSearchParams;
  /** US dollars of a request; absent where nobody knows. */
  readonly cost: number | undefined;
  /** What it asks for costs nothing. */
  readonly isFree: boolean;
  /** @throws GatewayError the provider's error for every status beyond 2xx */
  send(body: SentBody, query: URLSearchParams): Promise<UpstreamResponse>;
}

/** Bytes of an answer that hooks see. */
const MAX_SEEN_ANSWER = 32 * 1024 * 1024;

/** Sends a request on to its destination under the key's limits and budgets and the gateway's hooks. */
export function passThrough(deps: ResourceDeps, exchange: Exchange, to: Destination): Promise<Reply> {
  const { hooks } = deps;
  const { call } = exchange;
  refuseUpgrade(exchange);
  let body: PassedBody = noPassedBody;
  const receive = async (): Promise<JsonObject> => {
    const isSeen = hooks.has("preCall");
    if (exchange.method !== "GET") body = await readPassedBody(exchange, isSeen);
    if (!isSeen) return body.data;
    if (Object.hasOwn(body.data, PASSED_REQUEST))
      throw invalidRequest(`${PASSED_REQUEST} is the gateway's own`, PASSED_REQUEST);
    return { ...body.data, [PASSED_REQUEST]: { route: to.route, query: inObject(to.query) } };
  };
  const run = async ({ [PASSED_REQUEST]: request, ...changed }: JsonObject): Promise<Reply> => {
    const query = queryLeft(to, request);
    const sent = await body.finished(changed);
    try {
      const response = await to.send(sent, query);
      call.cost = to.cost;
      return await replyOf(response, exchange, hooks.has("postCallSuccess"));
    } catch (error) {
      // A request that was sent may have cost it, whoever leaves before the answer.
      call.cost = call.isSent && !isAnswered(error) ? to.cost : 0;
      throw error;
    }
  };
  const cost = () => {
    if (to.isFree) return { cost: 0, models: [] };
    if (to.cost === undefined && hasBudget(exchange.principal)) throw unpriced(to.route);
    return { cost: to.cost ?? 0, models: [], mustFit: true } as const;
  };
  const named = (data: JsonObject) => body.named(data);
  return governed(deps, exchange, receive, run, { cost, isFree: to.isFree, named });
}

/** Nothing but requests and answers passes; a server could take what follows for another protocol. */
function refuseUpgrade({ headers }: Exchange): void {
  if (headers.upgrade !== undefined && /websocket/i.test(headers.upgrade))
    throw invalidRequest("WebSockets do not pass through.");
}

function inObject(query: URLSearchParams): JsonObject {
  const names = [...new Set(query.keys())];
  return Object.fromEntries(names.map((name) => [name, query.getAll(name)]));
}

/** The query as hooks left it. They may refuse a path, which stays as it is. */
function queryLeft({ route, query }: Destination, seen: unknown): URLSearchParams {
  if (seen === undefined) return query;
  if (!isJsonObject(seen) || seen.route !== route || !isJsonObject(seen.query))
    throw invalidRequest("The path has something that the gateway's hooks do not let pass.");
  const pairs = Object.entries(seen.query).flatMap(([name, values]) =>
    (Array.isArray(values) ? values : [values]).map((value): [string, string] => [name, String(value)]),
  );
  return new URLSearchParams(pairs);
}

/** Whether the provider said no. */
function isAnswered(error: unknown): boolean {
  return error instanceof GatewayError && ![499, 504].includes(error.status);
}

function unpriced(route: string): GatewayError {
  return new GatewayError(
    402,
    "budget_exceeded",
    `${route} has no price, so no key under a budget may pass requests through to it`,
  );
}

async function replyOf(response: UpstreamResponse, exchange: Exchange, isSeen: boolean): Promise<Reply> {
  const { status, body } = response;
  const headers = headersOfAnswer(response.headers, exchange.family);
  if (status === 204 || status === 205) {
    body.cancel();
    return { status: 204, headers, body: "" };
  }
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/i.test(
    headerValue(response.headers, "content-type") ?? "",
  );
  if (!isSeen || !isJson || headers["content-encoding"] !== undefined)
    return { status, headers, stream: body };
  const bytes = await body.bytes(MAX_SEEN_ANSWER);
  const { "content-length": _, ...others } = headers;
  return { status, headers: others, body: answerObject(bytes) ?? bytes };
}

/** Lists and single values are no answers that hooks know. */
function answerObject(bytes: Buffer): JsonObject | undefined {
  try {
    return readJsonObject(bytes);
  } catch {
    return undefined;
  }
}
