import type { Exchange } from "../../http/exchange.ts";
import { json, type Reply } from "../../http/reply.ts";
import { stringOf } from "../../util/json.ts";
import { modelNotFound } from "../failures.ts";
import type { Flavour } from "../flavour.ts";
import { modelNames } from "./names.ts";

/** What a host of open weights has loaded. */
const hosted = ["llama-3.3-70b-instruct", "gpt-oss-120b", "gpt-4o", "text-embedding-3-small"];
const CREATED = 1_715_367_049;

/** `GET /models`: the provider's names; any other name works as well. */
export function listModels(flavour: Flavour): Reply {
  return json({ object: "list", data: (flavour === "compat" ? hosted : modelNames).map(model) });
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
