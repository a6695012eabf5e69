import type { Exchange } from "../http/exchange.ts";
import { replyTo } from "../http/model-call.ts";
import type { Provider } from "../http/provider.ts";
import { json, type Reply } from "../http/reply.ts";
import { type Route, RouteTable } from "../http/route.ts";
import { namedEvent } from "../http/sse.ts";
import { Resources, resourceRoutes } from "../resources/routes.ts";
import { authenticate } from "./authenticate.ts";
import { BatchStore, batchRoutes } from "./batches/batch-routes.ts";
import { errorEnvelope } from "./error-envelope.ts";
import { checkedMessages } from "./messages/check-messages.ts";
import { messageCall } from "./messages/message-call.ts";
import { inputTokensOf, PromptCache } from "./messages/prompt-cache.ts";
import { ThreadStore } from "./messages/threads.ts";
import { listModels, retrieveModel } from "./models.ts";
import { agents } from "./resources/agents.ts";
import { organization } from "./resources/organization.ts";
import { anthropicStyle } from "./resources/style.ts";
import { anthropicHeaders } from "./response-headers.ts";

/** Anthropic, at `/anthropic/v1`. */
export function anthropicProvider(): Provider {
  const cache = new PromptCache();
  const threads = new ThreadStore();
  const batches = new BatchStore();
  const resources = new Resources();
  const routes: Route[] = [
    { method: "POST", pattern: "/v1/messages", handle: (exchange) => message(exchange, cache, threads) },
    { method: "POST", pattern: "/v1/messages/count_tokens", handle: countInput },
    ...batchRoutes(batches, cache),
    { method: "GET", pattern: "/v1/models", handle: listModels },
    { method: "GET", pattern: "/v1/models/{model}", handle: retrieveModel },
    ...resourceRoutes([agents, organization].join("\n"), resources, anthropicStyle),
  ];
  const table = new RouteTable(routes);
  return {
    prefix: "/anthropic",
    requestIdPrefix: "req_01",
    find: (exchange) => table.find(exchange.method, exchange.path),
    authenticate,
    headers: anthropicHeaders,
    errorBody: (failure, exchange) => errorEnvelope(failure, exchange.requestId),
    errorEvent: (failure, exchange) => namedEvent(errorEnvelope(failure, exchange.requestId)),
    reset: () => {
      batches.clear();
      cache.clear();
      threads.clear();
      resources.clear();
    },
  };
}

function message(exchange: Exchange, cache: PromptCache, threads: ThreadStore): Reply {
  const { state, text, behaviour, request } = exchange;
  const { body, keep } = threads.open(exchange.body, String(request.headers["anthropic-beta"] ?? ""));
  return replyTo(exchange, messageCall(state, body, { seed: text, tokens: behaviour.tokens, cache, keep }));
}

function countInput(exchange: Exchange): Reply {
  return json({ input_tokens: inputTokensOf(exchange.body, checkedMessages(exchange.body, true)) });
}
