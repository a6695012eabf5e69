import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import { defined, type JsonObject } from "../../contract/json.ts";
import {
  optional,
  readInteger,
  readList,
  readName,
  readNumber,
  readObject,
  readPositiveInteger,
  readString,
} from "../fields.ts";
import type { ReasoningOption } from "../provider-options.ts";
import { readSchema } from "./read-tools.ts";

const PATH = "generationConfig";
const MIME_TYPES = ["text/plain", "application/json", "text/x.enum"];
const THINKING_LEVELS = ["THINKING_LEVEL_UNSPECIFIED", "MINIMAL", "LOW", "MEDIUM", "HIGH"];

/** Members that ask for an answer which no other provider gives, by what they say. */
const GOOGLES_OWN: Readonly<Record<string, string>> = {
  speechConfig: "speech",
  imageConfig: "pictures",
  responseLogprobs: "log probabilities",
  logprobs: "log probabilities",
};

/**
 * `generationConfig` as settings of the neutral call.
 * @throws GatewayError 400, also for what would give another answer than the one asked for
 */
export function readGenerationConfig(config: JsonObject): Partial<LanguageModelV3CallOptions> {
  refuseGooglesOwn(config);
  return defined({
    maxOutputTokens: optional(readPositiveInteger, config.maxOutputTokens, `${PATH}.maxOutputTokens`),
    stopSequences: optional(readList(readString), config.stopSequences, `${PATH}.stopSequences`),
    temperature: optional(readNumber, config.temperature, `${PATH}.temperature`),
    topP: optional(readNumber, config.topP, `${PATH}.topP`),
    topK: optional(readNumber, config.topK, `${PATH}.topK`),
    seed: optional(readInteger, config.seed, `${PATH}.seed`),
    presencePenalty: optional(readNumber, config.presencePenalty, `${PATH}.presencePenalty`),
    frequencyPenalty: optional(readNumber, config.frequencyPenalty, `${PATH}.frequencyPenalty`),
    responseFormat: readResponseFormat(config),
  });
}

function refuseGooglesOwn(config: JsonObject): void {
  const count = optional(readPositiveInteger, config.candidateCount, `${PATH}.candidateCount`) ?? 1;
  if (count !== 1) throw refused("candidateCount", "gives one candidate a call");
  for (const [name, what] of Object.entries(GOOGLES_OWN)) {
    const value = config[name];
    if (value !== undefined && value !== null && value !== false && value !== 0)
      throw refused(name, `gives no ${what} here`);
  }
  const modalities = optional(readList(readString), config.responseModalities, `${PATH}.responseModalities`);
  const other = modalities?.find((modality) => !/^(?:text|modality_unspecified)$/i.test(modality));
  if (other !== undefined) throw refused("responseModalities", "answers in text");
}

function refused(name: string, reason: string): Error {
  return invalidRequest(`${PATH}.${name}: this model's provider ${reason}`, `${PATH}.${name}`);
}

function readResponseFormat(config: JsonObject): LanguageModelV3CallOptions["responseFormat"] {
  const type = optional(readName(MIME_TYPES), config.responseMimeType, `${PATH}.responseMimeType`);
  const schema = readSchema(config, PATH);
  if (type === "text/x.enum") throw refused("responseMimeType", "has no text/x.enum");
  if (type !== "application/json") {
    if (schema === undefined) return undefined;
    const text = `${PATH}.responseMimeType: a schema needs "application/json"`;
    throw invalidRequest(text, `${PATH}.responseMimeType`);
  }
  return { type: "json", ...defined({ schema, name: schema && "response" }) };
}

/** `thinkingConfig`: a budget of 0 is none, one of -1 leaves it to the model. */
export function readThinking(config: JsonObject): ReasoningOption | undefined {
  const path = `${PATH}.thinkingConfig`;
  const thinking = optional(readObject, config.thinkingConfig, path);
  const level = optional(readString, thinking?.thinkingLevel, `${path}.thinkingLevel`)?.toUpperCase();
  if (level !== undefined) {
    readName(THINKING_LEVELS)(level, `${path}.thinkingLevel`);
    if (level !== THINKING_LEVELS[0]) return { effort: level.toLowerCase() };
  }
  const budgetTokens = optional(readInteger, thinking?.thinkingBudget, `${path}.thinkingBudget`);
  if (budgetTokens === undefined) return undefined;
  if (budgetTokens === 0) return { disabled: true };
  return budgetTokens < 0 ? { effort: "medium" } : { budgetTokens };
}
