import { invalidRequest, missingField } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { callHandler, openaiRoutes } from "../../core/call/execute-call.ts";
import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import { embeddingDescription } from "./schema.ts";

/** `POST /v1/embeddings` and its further paths. */
export function openEmbeddings({ calls }: Pick<Core, "calls">): Feature {
  const handler = callHandler(calls, "embeddings", requireInput);
  const routes = openaiRoutes("embeddings", "aembedding", handler);
  return { routes, descriptions: [embeddingDescription] };
}

function requireInput({ input }: JsonObject): void {
  if (input === undefined || input === null) throw missingField("input");
  const fits = typeof input === "string" || Array.isArray(input);
  if (!fits) throw invalidRequest("input must be a string or an array", "input");
}
