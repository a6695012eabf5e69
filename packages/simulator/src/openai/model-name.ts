import { type JsonObject, stringOf } from "../util/json.ts";
import { invalidRequest, modelNotFound, wrongType } from "./failures.ts";

/** The model a body names. Names that start with `unknown` do not exist. */
export function modelName(body: JsonObject): string {
  if (body.model === undefined || body.model === "")
    throw invalidRequest("you must provide a model parameter");
  const model = stringOf(body.model);
  if (model === undefined) throw wrongType("model", "a string");
  if (model.startsWith("unknown")) throw modelNotFound(model);
  return model;
}
