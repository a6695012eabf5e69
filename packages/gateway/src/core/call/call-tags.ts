import { type JsonObject, objectOf } from "../../contract/json.ts";
import { tagsOf } from "../routing/tags.ts";
import type { PreparedCall } from "./prepared-call.ts";

/**
 * The tags by which a call's deployments are chosen: those of its key (`metadata.tags`), so that nobody can tag
 * themselves into another tier, else those of the request (`metadata.tags`, `tags`, or
 * `x-litellm-tags` with commas).
 */
export function callTags({ call, data, config }: PreparedCall): readonly string[] {
  if (!config.routerSettings.enableTagFiltering) return [];
  const ofKey = tagsOf(call.principal.metadata.tags);
  if (ofKey.length > 0) return ofKey;
  const header = call.headers["x-portico-tags"] ?? call.headers["x-litellm-tags"];
  const named = typeof header === "string" ? header.split(",").map((tag) => tag.trim()) : [];
  return [...tagsOf(metadataOf(data).tags), ...tagsOf(data.tags), ...named.filter((tag) => tag !== "")];
}

function metadataOf({ metadata }: JsonObject): JsonObject {
  return objectOf(metadata);
}
