import { invalidRequest } from "../../contract/errors.ts";
import type { Exchange, Reply, Route } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { callOfExchange } from "../../core/call/call-of-exchange.ts";
import { executeCall } from "../../core/call/execute-call.ts";
import type { CallDeps } from "../../core/call/model-call.ts";

const paths = [
  "/v1/embeddings",
  "/embeddings",
  "/openai/v1/embeddings",
  "/openai/deployments/:model/embeddings",
];

/** `POST /v1/embeddings` and its further paths. */
export function embeddingRoutes(deps: CallDeps): Route[] {
  const handler = async (exchange: Exchange): Promise<Reply> => {
    const raw = await exchange.readBody();
    return await executeCall(
      deps,
      callOfExchange(exchange, raw, "embeddings", requireInput, exchange.params.model),
    );
  };
  return paths.map((path) => ({
    method: "POST",
    path,
    access: "key",
    family: "openai",
    callType: "aembedding",
    handler,
  }));
}

function requireInput({ input }: JsonObject): void {
  const fits = typeof input === "string" || Array.isArray(input);
  if (!fits) throw invalidRequest("input must be a string or an array", "input");
}
