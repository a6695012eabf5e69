import type { Exchange } from "../../http/exchange.ts";
import { json, type Reply } from "../../http/reply.ts";
import { stringOf } from "../../util/json.ts";
import { modelNotFound } from "../failures.ts";

const known = [
  "gpt-4o",
  "gpt-4o-mini",
  "gpt-4.1",
  "gpt-5",
  "gpt-5-mini",
  "o4-mini",
  "text-embedding-3-small",
  "sora-2",
];
const CREATED = 1_715_367_049;

/** `GET /models`: some well-known names; any other name works as well. */
export function listModels(): Reply {
  return json({ object: "list", data: known.map(model) });
}

/** `GET /models/{model}`. */
export function retrieveModel(exchange: Exchange): Reply {
  const id = stringOf(exchange.params.model) ?? "";
  if (id.startsWith("unknown")) throw modelNotFound(id);
  return json(model(id));
}

function model(id: string) {
  return { id, object: "model", created: CREATED, owned_by: "simulator" };
}
