import type { Exchange } from "../http/exchange.ts";
import { replyTo } from "../http/model-call.ts";
import type { Reply } from "../http/reply.ts";
import type { Route } from "../http/route.ts";
import { resourceRoutes } from "../resources/routes.ts";
import type { OpenAiAccount } from "./account.ts";
import { batchRoutes } from "./batches/batch-routes.ts";
import type { CallOptions } from "./call-options.ts";
import { chatCall } from "./chat/chat-call.ts";
import { textCompletionCall } from "./chat/text-completion.ts";
import { checkParameters } from "./check-parameters.ts";
import { containerFileRoutes } from "./containers/container-file-routes.ts";
import { containerRoutes } from "./containers/container-routes.ts";
import { conversationRoutes } from "./conversations/conversation-routes.ts";
import { embeddingsCall } from "./embeddings/embeddings-call.ts";
import { fileRoutes } from "./files/file-routes.ts";
import type { Flavour } from "./flavour.ts";
import { audioRoutes } from "./media/audio-routes.ts";
import { imageRoutes } from "./media/image-routes.ts";
import { moderationRoutes } from "./media/moderation-routes.ts";
import { listModels, retrieveModel } from "./models/model-list.ts";
import { agents } from "./resources/agents.ts";
import { assistants } from "./resources/assistants.ts";
import { media } from "./resources/media.ts";
import { organization } from "./resources/organization.ts";
import { openAiStyle } from "./resources/style.ts";
import { tuning } from "./resources/tuning.ts";
import { responseRoutes } from "./responses/response-routes.ts";
import { videoRoutes } from "./videos/video-routes.ts";

const tables = [agents, assistants, media, organization, tuning].join("\n");

/** Operations that every OpenAI-compatible host has. Paths are below the API's base, such as `/v1`. */
export function commonRoutes(flavour: Flavour): Route[] {
  return [
    { method: "POST", pattern: "/chat/completions", handle: (exchange) => chat(exchange, flavour) },
    {
      method: "POST",
      pattern: "/embeddings",
      handle: (exchange) => embed(exchange, flavour),
    },
    { method: "GET", pattern: "/models", handle: () => listModels(flavour) },
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
    { method: "POST", pattern: "/completions", handle: (exchange) => complete(exchange, flavour) },
    ...imageRoutes(),
    ...audioRoutes(),
    ...moderationRoutes(),
    // Last: what is listed above keeps more than a shape.
    ...(flavour === "openai" ? resourceRoutes(tables, account.resources, openAiStyle) : []),
  ];
}

function embed(exchange: Exchange, flavour: Flavour): Reply {
  checkParameters("/embeddings", exchange.body, flavour);
  return replyTo(exchange, embeddingsCall(exchange.state, exchange.body));
}

function chat(exchange: Exchange, flavour: Flavour): Reply {
  checkParameters("/chat/completions", exchange.body, flavour);
  return replyTo(exchange, chatCall(exchange.state, exchange.body, callOptions(exchange, flavour)));
}

function complete(exchange: Exchange, flavour: Flavour): Reply {
  return replyTo(exchange, textCompletionCall(exchange.state, exchange.body, callOptions(exchange, flavour)));
}

function callOptions(exchange: Exchange, flavour: Flavour): CallOptions {
  return { flavour, seed: exchange.text, tokens: exchange.behaviour.tokens };
}
