import type { Route } from "../../contract/exchange.ts";
import type { Platform } from "../../platform/open-platform.ts";
import { tellFailure } from "../hooks/tell-failure.ts";
import { idempotentRoutes } from "../idempotency/idempotent-routes.ts";
import type { Core } from "../open-core.ts";
import { Dispatcher } from "./dispatcher.ts";
import { logRequests, type RequestObserver } from "./log-request.ts";
import { GatewayServer } from "./server.ts";
import { SocketServer } from "./socket/socket-server.ts";

/**
 * A server that answers these routes, and does not listen yet.
 * @param opened told once it does
 */
export function openServer(
  { authenticator, calls, idempotency, metrics }: Core,
  { config, logger, traces }: Platform,
  routes: readonly Route[],
  opened: () => void,
): GatewayServer {
  const log = logRequests(logger);
  const observe: RequestObserver =
    metrics === undefined
      ? log
      : (request) => {
          metrics.request(request.route, request.status);
          log(request);
        };
  const dispatcher = new Dispatcher({
    routes: idempotentRoutes(routes, idempotency),
    authenticator,
    config,
    observe,
    traces,
    failed: (exchange, error) => tellFailure(calls.hooks, exchange, error),
  });
  return new GatewayServer(dispatcher, new SocketServer(dispatcher, config), opened);
}
