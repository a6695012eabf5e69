import type { Exchange } from "../http/exchange.ts";
import { json, type Reply } from "../http/reply.ts";
import type { Route } from "../http/route.ts";
import { modelNotFound } from "./failures.ts";
import { modelNames } from "./model-names.ts";
import { pageOf } from "./page.ts";

const methods = ["generateContent", "countTokens", "batchGenerateContent"];

/** The models, listed and one by one; names beside Google's work as well. */
export const modelRoutes: readonly Route[] = [
  { method: "GET", pattern: "/{version}/models", handle: listModels },
  { method: "GET", pattern: "/{version}/models/{model}", handle: retrieveModel },
];

function listModels({ query }: Exchange): Reply {
  const { items, next } = pageOf(modelNames, query);
  return json({ models: items.map(model), ...next });
}

function retrieveModel(exchange: Exchange): Reply {
  const name = exchange.params.model ?? "";
  if (name.startsWith("unknown")) throw modelNotFound(name, "generateContent");
  return json(model(name));
}

function model(name: string) {
  return {
    name: `models/${name}`,
    version: "001",
    displayName: name,
    description: "A simulated model.",
    inputTokenLimit: 1_048_576,
    outputTokenLimit: 65_536,
    supportedGenerationMethods: methodsOf(name),
  };
}

function methodsOf(name: string): readonly string[] {
  if (name.startsWith("veo")) return ["predictLongRunning"];
  return name.includes("embedding") ? ["embedContent"] : methods;
}
