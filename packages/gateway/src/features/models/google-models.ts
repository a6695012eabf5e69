import { checkQuery } from "../../contract/check.ts";
import { invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import { modelFacts, targetFor } from "./model-facts.ts";
import { googleListQuery } from "./schema.ts";

/** Models on a page, where the caller does not say (Gemini API reference, `models.list`), and at most. */
const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 1000;

const GENERATES = ["generateContent", "streamGenerateContent", "countTokens"];
const EMBEDS = ["embedContent", "batchEmbedContents", "countTokens"];

/** A page of Google's list; a page's token is the name that it begins with. */
export function googlePage(
  names: readonly string[],
  query: URLSearchParams,
  describe: (name: string) => JsonObject,
): JsonObject {
  const { pageSize = 0, pageToken: token } = checkQuery(googleListQuery, query);
  const size = pageSize === 0 ? PAGE_SIZE : Math.min(pageSize, MAX_PAGE_SIZE);
  const start = token === undefined ? 0 : names.indexOf(Buffer.from(token, "base64url").toString("utf8"));
  if (start === -1) throw invalidRequest("pageToken: it is not one of this list", "pageToken");
  const next = names[start + size];
  return {
    models: names.slice(start, start + size).map(describe),
    ...(next === undefined ? {} : { nextPageToken: Buffer.from(next).toString("base64url") }),
  };
}

/** A model in Google's words. */
export function googleModel(name: string, config: GatewayConfig): JsonObject {
  const target = targetFor(name, config);
  const facts = target === undefined ? {} : modelFacts(target);
  return {
    name: `models/${name}`,
    version: "001",
    displayName: name,
    description: "",
    ...limit("inputTokenLimit", facts.max_input_tokens),
    ...limit("outputTokenLimit", facts.max_output_tokens),
    supportedGenerationMethods: facts.mode === "embedding" ? EMBEDS : GENERATES,
    ...(typeof facts.supports_reasoning === "boolean" ? { thinking: facts.supports_reasoning } : {}),
  };
}

function limit(name: string, value: unknown): JsonObject {
  return typeof value === "number" ? { [name]: value } : {};
}
