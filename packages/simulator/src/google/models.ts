import type { Exchange } from "../http/exchange.ts";
import { json, type Reply } from "../http/reply.ts";
import type { Route } from "../http/route.ts";
import { modelNotFound } from "./failures.ts";

const known = [
  "gemini-2.5-pro",
  "gemini-2.5-flash",
  "gemini-3-pro-preview",
  "gemini-embedding-001",
  "veo-3.1-generate-preview",
  "veo-3.0-generate-001",
];
const methods = ["generateContent", "countTokens", "batchGenerateContent"];

/** The models, listed and one by one; names beside the well-known ones work as well. */
export const modelRoutes: readonly Route[] = [
  { method: "GET", pattern: "/{version}/models", handle: () => json({ models: known.map(model) }) },
  { method: "GET", pattern: "/{version}/models/{model}", handle: retrieveModel },
];

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
