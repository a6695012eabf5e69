import { notFound } from "../../contract/errors.ts";
import type { Exchange, Reply, Route } from "../../contract/exchange.ts";
import { SetupError } from "../../contract/setup-error.ts";
import type { UpstreamPath } from "../../contract/upstream-path.ts";
import { RouteTable } from "../../core/http/route-table.ts";
import type { ResourceDeps } from "../../core/objects/resource-deps.ts";
import type { PassThroughEndpoint } from "../../platform/config/read/read-pass-through.ts";
import type { UpstreamResponse } from "../../platform/transport/upstream-call.ts";
import { providerError } from "../../providers/provider-error.ts";
import { requireGrant } from "./grant.ts";
import { passThrough } from "./pass.ts";
import type { SentBody } from "./passed-body.ts";
import { headersForTarget } from "./passed-headers.ts";
import { readPassedPath } from "./passed-path.ts";
import { CALL_TYPE } from "./provider-routes.ts";

/** Bytes of an error answer that are read. */
const MAX_ERROR = 64 * 1024;

/**
 * The routes of `general_settings.pass_through_endpoints`.
 * @param others all other routes of the gateway
 * @throws SetupError for an endpoint at a path that has something else already
 */
export function endpointRoutes(deps: ResourceDeps, others: readonly Route[]): Route[] {
  const endpoints = deps.config.current.passThroughEndpoints;
  const taken = new RouteTable(endpoints.length === 0 ? [] : others);
  return endpoints.flatMap((endpoint) => {
    const { path, methods, takesSubpaths } = endpoint;
    const route = { access: "key", family: "openai", callType: CALL_TYPE } as const;
    const handler = (exchange: Exchange) => passToTarget(deps, inForce(deps, endpoint, exchange), exchange);
    const paths = takesSubpaths ? [path, `${path}/*`] : [path];
    return methods.flatMap((method) => {
      if (taken.find(method, path) !== undefined)
        throw new SetupError(
          `general_settings.pass_through_endpoints: ${method} ${path} is the gateway's own; choose another path`,
        );
      return paths.map((each): Route => ({ ...route, method, path: each, isLastResort: true, handler }));
    });
  });
}

/**
 * The endpoint as the configuration has it now: its target and its credentials may be others, or none.
 * @throws GatewayError 404 for one that is no longer there
 */
function inForce(
  { config }: ResourceDeps,
  { path }: PassThroughEndpoint,
  { method }: Exchange,
): PassThroughEndpoint {
  const now = config.current.passThroughEndpoints.find((each) => each.path === path);
  if (now?.methods.some((each) => each === method) === true) return now;
  throw notFound("The configuration has no such endpoint any more");
}

function passToTarget(deps: ResourceDeps, endpoint: PassThroughEndpoint, exchange: Exchange): Promise<Reply> {
  const { path } = endpoint;
  // Letters of the endpoint's own path may have been sent encoded: its length in steps is the same.
  const { route, below } = readPassedPath(exchange.path, path);
  requireGrant(exchange.principal, route);
  const query = new URLSearchParams([...new URL(endpoint.target).searchParams, ...exchange.query]);
  for (const [name, value] of Object.entries(endpoint.query)) if (!query.has(name)) query.set(name, value);
  return passThrough(deps, exchange, {
    route,
    query,
    cost: endpoint.costPerRequest,
    isFree: false,
    send: (body, left) => sendToTarget(deps, { endpoint, below, query: left }, body, exchange),
  });
}

interface ToTarget {
  readonly endpoint: PassThroughEndpoint;
  readonly below: UpstreamPath;
  readonly query: URLSearchParams;
}

async function sendToTarget(
  { upstream, config }: ResourceDeps,
  { endpoint, below, query }: ToTarget,
  { bytes, contentType }: SentBody,
  { method, headers, signal, call }: Exchange,
): Promise<UpstreamResponse> {
  const { origin, pathname } = new URL(endpoint.target);
  const address = origin + pathname.replace(/\/+$/, "") + below;
  const { litellmKeyHeaderName } = config.current.generalSettings;
  call.apiBase = origin;
  const startedAt = performance.now();
  const response = await upstream.request({
    url: query.size === 0 ? address : `${address}?${query}`,
    method,
    headers: {
      ...headersForTarget(headers, endpoint.forwardsHeaders, litellmKeyHeaderName),
      ...(contentType === undefined ? {} : { "content-type": contentType }),
      ...endpoint.headers,
    },
    body: bytes,
    ...(endpoint.timeout === undefined ? {} : { timeouts: { firstByte: endpoint.timeout } }),
    signal,
    record: call,
  });
  call.upstreamMs += performance.now() - startedAt;
  if (response.status >= 200 && response.status < 300) return response;
  throw providerError(response.status, response.headers, await response.body.startOfText(MAX_ERROR));
}
