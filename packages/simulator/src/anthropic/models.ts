import type { Exchange } from "../http/exchange.ts";
import { json, type Reply } from "../http/reply.ts";
import { notFound } from "./failures.ts";

const known = ["claude-opus-4-5", "claude-sonnet-4-5", "claude-haiku-4-5"];

/** `GET /v1/models`: some well-known names; any other name works as well. */
export function listModels(): Reply {
  return json({ data: known.map(model), has_more: false, first_id: known[0], last_id: known.at(-1) });
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
