import type { Exchange } from "../http/exchange.ts";
import { json, type Reply } from "../http/reply.ts";
import type { Route } from "../http/route.ts";
import { modelNotFound } from "./failures.ts";

const known = ["gemini-2.5-pro", "gemini-2.5-flash", "gemini-3-pro-preview", "gemini-embedding-001"];

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
  const embeds = name.includes("embedding");
  return {
    name: `models/${name}`,
    version: "001",
    displayName: name,
    description: "A simulated model.",
    inputTokenLimit: 1_048_576,
    outputTokenLimit: 65_536,
    supportedGenerationMethods: embeds
      ? ["embedContent"]
      : ["generateContent", "countTokens", "batchGenerateContent"],
  };
}
