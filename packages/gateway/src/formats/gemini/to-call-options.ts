import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { check } from "../../contract/check.ts";
import { invalidRequest } from "../../contract/errors.ts";
import { defined, type JsonObject } from "../../contract/json.ts";
import { object } from "../../contract/schema.ts";
import { optional, readObject, readString } from "../fields.ts";
import { neutralOptions, withOptions } from "../provider-options.ts";
import { geminiFields } from "./fields.ts";
import { readContents } from "./read-contents.ts";
import { readGenerationConfig, readThinking } from "./read-generation-config.ts";
import { readTools } from "./read-tools.ts";

const request = object(geminiFields);

/**
 * A `generateContent` request in camel case as a neutral call (Gemini API reference, "Generating content").
 * `safetySettings`, `labels` and `store` ask for nothing of an answer and are left out at other providers.
 * @throws GatewayError 400 naming the field at fault
 */
export function geminiToCallOptions(body: JsonObject): LanguageModelV3CallOptions {
  check(request, body);
  const cached = body.cachedContent;
  if (cached !== undefined && cached !== null && cached !== "")
    throw invalidRequest("cachedContent: this model's provider does not keep it", "cachedContent");
  const config = optional(readObject, body.generationConfig, "generationConfig") ?? {};
  const serviceTier = optional(readString, body.serviceTier, "serviceTier")?.toLowerCase();
  const shared = defined({ reasoning: readThinking(config), serviceTier });
  return {
    prompt: readContents(body),
    ...readGenerationConfig(config),
    ...readTools(body),
    ...withOptions(neutralOptions(shared)),
  };
}
