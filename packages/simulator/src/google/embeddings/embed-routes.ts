import { readDirectives } from "../../answers/directives.ts";
import { embeddingVector } from "../../answers/embedding-vector.ts";
import type { Exchange } from "../../http/exchange.ts";
import { replyTo } from "../../http/model-call.ts";
import type { Reply } from "../../http/reply.ts";
import type { Route } from "../../http/route.ts";
import { type JsonObject, numberOf, objectsIn } from "../../util/json.ts";
import { textOfParts } from "../content/parts.ts";
import { invalidArgument, modelNotFound } from "../failures.ts";
import { member } from "../members.ts";

const DEFAULT_DIMENSIONS = 768;
const MAX_DIMENSIONS = 4096;
const MAX_REQUESTS = 100;

/** `embedContent` and `batchEmbedContents`. */
export const embedRoutes: readonly Route[] = [
  { method: "POST", pattern: "/{version}/models/{model}:embedContent", handle: embedOne },
  { method: "POST", pattern: "/{version}/models/{model}:batchEmbedContents", handle: embedMany },
];

function embedOne(exchange: Exchange): Reply {
  return reply(exchange, [exchange.body], ([embedding]) => ({ embedding }));
}

function embedMany(exchange: Exchange): Reply {
  const requests = objectsIn(exchange.body.requests);
  if (requests.length > MAX_REQUESTS) {
    throw invalidArgument(
      `* BatchEmbedContentsRequest.requests: at most ${MAX_REQUESTS} requests can be in one batch\n`,
    );
  }
  return reply(exchange, requests, (embeddings) => ({ embeddings }));
}

function reply(
  exchange: Exchange,
  requests: readonly JsonObject[],
  shape: (embeddings: JsonObject[]) => JsonObject,
): Reply {
  const model = exchange.params.model ?? "";
  if (model.startsWith("unknown")) throw modelNotFound(model, "embedContent");
  const embeddings = requests.map(embed);
  return replyTo(exchange, {
    directives: readDirectives(textOfParts(requests.at(-1)?.content)),
    stream: false,
    json: () => shape(embeddings),
    events: () => [],
  });
}

function embed(request: JsonObject): JsonObject {
  if (request.content === undefined) {
    throw invalidArgument("* EmbedContentRequest.content: content is not specified\n");
  }
  const dimensions = numberOf(member(request, "outputDimensionality")) ?? DEFAULT_DIMENSIONS;
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MAX_DIMENSIONS) {
    throw invalidArgument(
      `* EmbedContentRequest.output_dimensionality: must be from 1 to ${MAX_DIMENSIONS}\n`,
    );
  }
  return { values: [...embeddingVector(textOfParts(request.content), dimensions)] };
}
