import { invalidRequest } from "../../contract/errors.ts";
import type { Exchange, Reply, Route } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { answerExchange } from "../../core/call/answer-exchange.ts";
import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import { embeddingDescription } from "./description.ts";

const paths = [
  "/v1/embeddings",
  "/embeddings",
  "/openai/v1/embeddings",
  "/openai/deployments/:model/embeddings",
];

/** `POST /v1/embeddings` and its further paths. */
export function openEmbeddings({ calls }: Pick<Core, "calls">): Feature {
  const handler = (exchange: Exchange): Promise<Reply> =>
    answerExchange(calls, exchange, "embeddings", requireInput);
  const routes = paths.map(
    (path): Route => ({
      method: "POST",
      path,
      access: "key",
      family: "openai",
      callType: "aembedding",
      handler,
    }),
  );
  return { routes, descriptions: [embeddingDescription] };
}

function requireInput({ input }: JsonObject): void {
  const fits = typeof input === "string" || Array.isArray(input);
  if (!fits) throw invalidRequest("input must be a string or an array", "input");
}
