import type { Exchange } from "../http/exchange.ts";
import { json, type Reply } from "../http/reply.ts";
import { pageOf } from "./batches/batch-page.ts";
import { notFound } from "./failures.ts";
import { modelNames } from "./model-names.ts";

/** `GET /v1/models`: Anthropic's names, newest first; any other name works as well. */
export function listModels({ query, state }: Exchange): Reply {
  const models = modelNames.toReversed().map(model);
  // The ids of a page's ends are placeholders, too.
  return json(pageOf(models, state.placeholders ? new URLSearchParams() : query));
}

/** `GET /v1/models/{model}`. */
export function retrieveModel(exchange: Exchange): Reply {
  const id = exchange.params.model ?? "";
  if (id.startsWith("unknown")) throw notFound(`model: ${id}`);
  return json(model(id));
}

function model(id: string) {
  return { type: "model", id, display_name: id, created_at: "2025-09-29T00:00:00Z", lifecycle: "active" };
}
