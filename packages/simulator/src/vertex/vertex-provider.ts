import { errorEnvelope as messagesEnvelope } from "../anthropic/error-envelope.ts";
import { messageCall } from "../anthropic/messages/message-call.ts";
import { PromptCache } from "../anthropic/messages/prompt-cache.ts";
import { generateRoutes } from "../google/content/generate-routes.ts";
import { errorEnvelope } from "../google/error-envelope.ts";
import { ApiFailure } from "../http/api-failure.ts";
import type { Exchange } from "../http/exchange.ts";
import { replyTo } from "../http/model-call.ts";
import type { Provider } from "../http/provider.ts";
import { json, type Reply } from "../http/reply.ts";
import { type Route, RouteTable } from "../http/route.ts";
import { namedEvent } from "../http/sse.ts";
import { embedRoutes } from "./embed-routes.ts";
import { type VertexVideos, videoRoutes } from "./video-routes.ts";

const PUBLISHERS = "/{version}/projects/{project}/locations/{location}/publishers";
const MESSAGES_VERSION = "vertex-2023-10-16";

/** Google's Vertex AI, at `/vertex/v1`: Gemini's models with their videos, text embeddings, Claude's models, and the address that gives out access tokens. */
export function vertexProvider(): Provider {
  const cache = new PromptCache();
  const videos: VertexVideos = new Map();
  const routes: Route[] = [
    { method: "POST", pattern: "/token", handle: giveToken, body: "stream" },
    ...generateRoutes.map((route) => ({
      ...route,
      pattern: route.pattern.replace("/{version}", `${PUBLISHERS}/google`),
    })),
    ...[...embedRoutes, ...videoRoutes(videos)].map((route) => ({
      ...route,
      pattern: `${PUBLISHERS}/google${route.pattern}`,
    })),
    ...["rawPredict", "streamRawPredict"].map((operation) => ({
      method: "POST",
      pattern: `${PUBLISHERS}/anthropic/models/{model}:${operation}`,
      handle: (exchange: Exchange) => message(exchange, operation === "streamRawPredict", cache),
    })),
  ];
  const table = new RouteTable(routes);
  return {
    prefix: "/vertex",
    requestIdPrefix: "",
    find: (exchange) => table.find(exchange.method, exchange.path),
    authenticate,
    headers: () => ({ "x-content-type-options": "nosniff" }),
    errorBody: (failure, exchange) =>
      isMessages(exchange) ? messagesEnvelope(failure, exchange.requestId) : errorEnvelope(failure),
    errorEvent: (failure, exchange) =>
      isMessages(exchange)
        ? namedEvent(messagesEnvelope(failure, exchange.requestId))
        : `data: ${JSON.stringify(errorEnvelope(failure))}\r\n\r\n`,
    reset: () => {
      cache.clear();
      videos.clear();
    },
  };
}

function isMessages(exchange: Exchange): boolean {
  return exchange.path.includes("/publishers/anthropic/");
}

/** Any form is good for a token; its expiry lies an hour ahead. */
function giveToken(exchange: Exchange): Reply {
  exchange.request.resume();
  return json({ access_token: "vertex-simulated", expires_in: 3600, token_type: "Bearer" });
}

/** Vertex AI takes tokens only, no keys. */
function authenticate(exchange: Exchange): void {
  if (exchange.path === "/token") return;
  const token = /^Bearer\s+(\S+)$/i.exec(exchange.request.headers.authorization ?? "")?.[1];
  if (token?.startsWith("vertex-")) return;
  throw new ApiFailure(
    401,
    "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.",
  );
}

/** Claude's Messages, where the model stands in the path and the version in the body. */
function message(exchange: Exchange, stream: boolean, cache: PromptCache): Reply {
  const { state, body, text, behaviour, params } = exchange;
  const { anthropic_version: version, ...rest } = body;
  if (version !== MESSAGES_VERSION) throw new ApiFailure(400, "anthropic_version: Field required");
  if (body.model !== undefined) throw new ApiFailure(400, "model: Extra inputs are not permitted");
  const model = params.model ?? "";
  const call = messageCall(
    state,
    { ...rest, model, stream },
    { seed: text, tokens: behaviour.tokens, cache },
  );
  return replyTo(exchange, call);
}
