import type { Exchange } from "../http/exchange.ts";
import { replyTo } from "../http/model-call.ts";
import type { Reply } from "../http/reply.ts";
import type { Route } from "../http/route.ts";
import type { OpenAiAccount } from "./account.ts";
import { batchRoutes } from "./batches/batch-routes.ts";
import type { CallOptions } from "./call-options.ts";
import { chatCall } from "./chat/chat-call.ts";
import { checkParameters } from "./check-parameters.ts";
import { containerFileRoutes } from "./containers/container-file-routes.ts";
import { containerRoutes } from "./containers/container-routes.ts";
import { conversationRoutes } from "./conversations/conversation-routes.ts";
import { embeddingsCall } from "./embeddings/embeddings-call.ts";
import { fileRoutes } from "./files/file-routes.ts";
import type { Flavour } from "./flavour.ts";
import { listModels, retrieveModel } from "./models/model-list.ts";
import { responseRoutes } from "./responses/response-routes.ts";
import { videoRoutes } from "./videos/video-routes.ts";

/** Operations that every OpenAI-compatible host has. Paths are below the API's base, such as `/v1`. */
export function commonRoutes(flavour: Flavour): Route[] {
  return [
    { method: "POST", pattern: "/chat/completions", handle: (exchange) => chat(exchange, flavour) },
    {
      method: "POST",
      pattern: "/embeddings",
      handle: (exchange) => embed(exchange, flavour),
    },
    { method: "GET", pattern: "/models", handle: listModels },
    { method: "GET", pattern: "/models/{model}", handle: retrieveModel },
  ];
}

/** Operations that OpenAI itself and Azure have. */
export function accountRoutes(account: OpenAiAccount, flavour: Flavour): Route[] {
  return [
    ...commonRoutes(flavour),
    ...responseRoutes(account, flavour),
    ...conversationRoutes(account.conversations),
    ...fileRoutes(account.files),
    ...batchRoutes(account, flavour),
    ...containerRoutes(account.containers, account.files),
    ...containerFileRoutes(account.containers, account.files),
    ...videoRoutes(account.videos),
  ];
}

function embed(exchange: Exchange, flavour: Flavour): Reply {
  checkParameters("/embeddings", exchange.body, flavour);
  return replyTo(exchange, embeddingsCall(exchange.body));
}

function chat(exchange: Exchange, flavour: Flavour): Reply {
  checkParameters("/chat/completions", exchange.body, flavour);
  return replyTo(exchange, chatCall(exchange.state, exchange.body, callOptions(exchange, flavour)));
}

function callOptions(exchange: Exchange, flavour: Flavour): CallOptions {
  return { flavour, seed: exchange.text, tokens: exchange.behaviour.tokens };
}
