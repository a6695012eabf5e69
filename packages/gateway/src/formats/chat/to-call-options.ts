import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import { defined, type JsonObject } from "../../contract/json.ts";
import {
  optional,
  readBoolean,
  readInteger,
  readList,
  readNumber,
  readObject,
  readPositiveInteger,
  readString,
  readUser,
} from "../fields.ts";
import {
  type NeutralOptions,
  neutralOptions,
  optionsFor,
  type ReasoningOption,
  withOptions,
} from "../provider-options.ts";
import { chatWebSearch } from "../tools/web-search.ts";
import { readPrompt } from "./read-prompt.ts";
import { readToolChoice, readTools } from "./read-tools.ts";

/** Members that only OpenAI's own models know; they travel as they are and other providers leave them. */
const openaiOnly = ["logit_bias", "logprobs", "top_logprobs", "metadata", "store", "verbosity", "prediction"];

/**
 * A chat completion request as a neutral call (OpenAI API reference, "Create chat completion").
 * @throws GatewayError 400 naming the field at fault
 */
export function chatToCallOptions(body: JsonObject): LanguageModelV3CallOptions {
  if ((optional(readPositiveInteger, body.n, "n") ?? 1) !== 1) {
    throw invalidRequest("n: this model's provider gives one choice a call", "n");
  }
  const limit = body.max_completion_tokens == null ? "max_tokens" : "max_completion_tokens";
  return {
    prompt: readPrompt(body),
    ...defined({
      maxOutputTokens: optional(readPositiveInteger, body[limit], limit),
      stopSequences: readStop(body.stop),
      temperature: optional(readNumber, body.temperature, "temperature"),
      topP: optional(readNumber, body.top_p, "top_p"),
      topK: optional(readInteger, body.top_k, "top_k"),
      seed: optional(readInteger, body.seed, "seed"),
      presencePenalty: optional(readNumber, body.presence_penalty, "presence_penalty"),
      frequencyPenalty: optional(readNumber, body.frequency_penalty, "frequency_penalty"),
      responseFormat: readResponseFormat(body.response_format),
      tools: withSearch(readTools(body), optional(readObject, body.web_search_options, "web_search_options")),
      toolChoice: readToolChoice(body),
    }),
    ...withOptions(neutralOptions(readShared(body)), optionsFor("openai", readOpenaiOnly(body))),
  };
}

function withSearch(
  tools: LanguageModelV3CallOptions["tools"],
  search: JsonObject | undefined,
): LanguageModelV3CallOptions["tools"] {
  return search === undefined ? tools : [...(tools ?? []), chatWebSearch(search)];
}

function readStop(stop: unknown): string[] | undefined {
  return typeof stop === "string" ? [stop] : optional(readList(readString), stop, "stop");
}

function readShared(body: JsonObject): NeutralOptions {
  return defined({
    reasoning: readReasoning(body),
    parallelToolCalls: optional(readBoolean, body.parallel_tool_calls, "parallel_tool_calls"),
    user: readUser(body),
    serviceTier: optional(readString, body.service_tier, "service_tier"),
  });
}

/** `reasoning_effort`, OpenRouter's `reasoning`, or Anthropic's `thinking`, which LiteLLM's clients send here. */
function readReasoning(body: JsonObject): ReasoningOption | undefined {
  const effort = optional(readString, body.reasoning_effort, "reasoning_effort");
  if (effort !== undefined) return effort === "none" ? { disabled: true } : { effort };
  const thinking = optional(readObject, body.thinking, "thinking");
  if (thinking !== undefined) {
    if (thinking.type === "disabled") return { disabled: true };
    const budgetTokens = optional(readPositiveInteger, thinking.budget_tokens, "thinking.budget_tokens");
    return budgetTokens === undefined ? { effort: "medium" } : { budgetTokens };
  }
  const reasoning = optional(readObject, body.reasoning, "reasoning");
  if (reasoning === undefined) return undefined;
  return defined({
    disabled: reasoning.enabled === false ? true : undefined,
    effort: optional(readString, reasoning.effort, "reasoning.effort"),
    budgetTokens: optional(readPositiveInteger, reasoning.max_tokens, "reasoning.max_tokens"),
  });
}

function readOpenaiOnly(body: JsonObject): JsonObject {
  return Object.fromEntries(
    openaiOnly.filter((name) => body[name] != null).map((name) => [name, body[name]]),
  );
}

/** `response_format`: text, any JSON object, or JSON of a schema. */
function readResponseFormat(value: unknown): LanguageModelV3CallOptions["responseFormat"] {
  const path = "response_format";
  const format = optional(readObject, value, path);
  switch (format?.type) {
    case "text":
      return undefined;
    case "json_object":
      return { type: "json" };
    case "json_schema": {
      const definition = readObject(format.json_schema, `${path}.json_schema`);
      return {
        type: "json",
        ...defined({
          schema: optional(readObject, definition.schema, `${path}.json_schema.schema`),
          name: optional(readString, definition.name, `${path}.json_schema.name`),
          description: optional(readString, definition.description, `${path}.json_schema.description`),
        }),
      };
    }
    default:
      if (format === undefined) return undefined;
      throw invalidRequest(`${path}.type: expected "text", "json_object" or "json_schema"`, `${path}.type`);
  }
}
