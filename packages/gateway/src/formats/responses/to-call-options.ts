import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import { defined, type JsonObject } from "../../contract/json.ts";
import {
  optional,
  readBoolean,
  readName,
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
import { readPrompt } from "./read-prompt.ts";
import { readToolChoice, readTools } from "./read-tools.ts";

// OpenAI API reference, "Create a model response".
const readEffort = readName(["none", "minimal", "low", "medium", "high", "xhigh", "max"]);
const readSummary = readName(["auto", "concise", "detailed"]);
const readTier = readName(["auto", "default", "flex", "scale", "priority"]);
const readVerbosity = readName(["low", "medium", "high"]);

/**
 * A Responses request as a neutral call, for its own `input` alone: what `previous_response_id` stands for must be in
 * `input` already (OpenAI API reference, "Create a model response").
 * @throws GatewayError 400 naming the field at fault
 */
export function responsesToCallOptions(body: JsonObject): LanguageModelV3CallOptions {
  const { metadata } = body;
  return {
    prompt: readPrompt(body),
    ...defined({
      maxOutputTokens: optional(readPositiveInteger, body.max_output_tokens, "max_output_tokens"),
      temperature: optional(readNumber, body.temperature, "temperature"),
      topP: optional(readNumber, body.top_p, "top_p"),
      responseFormat: readTextFormat(body),
      tools: readTools(body),
      toolChoice: optional(readToolChoice, body.tool_choice, "tool_choice"),
    }),
    ...withOptions(neutralOptions(readShared(body)), optionsFor("openai", defined({ metadata }))),
  };
}

function readShared(body: JsonObject): NeutralOptions {
  return defined({
    reasoning: readReasoning(body),
    parallelToolCalls: optional(readBoolean, body.parallel_tool_calls, "parallel_tool_calls"),
    user: readUser(body),
    serviceTier: optional(readTier, body.service_tier, "service_tier"),
  });
}

function readReasoning(body: JsonObject): ReasoningOption | undefined {
  const reasoning = optional(readObject, body.reasoning, "reasoning");
  const effort = optional(readEffort, reasoning?.effort, "reasoning.effort");
  const summary = optional(readSummary, reasoning?.summary, "reasoning.summary");
  if (effort === "none") return { disabled: true };
  if (effort === undefined && summary === undefined) return undefined;
  return defined({ effort, summary });
}

function readTextFormat(body: JsonObject): LanguageModelV3CallOptions["responseFormat"] {
  const path = "text.format";
  const text = optional(readObject, body.text, "text");
  // Only checked: the neutral model has no place for it.
  optional(readVerbosity, text?.verbosity, "text.verbosity");
  const format = optional(readObject, text?.format, path);
  switch (format?.type) {
    case "text":
      return undefined;
    case "json_object":
      return { type: "json" };
    case "json_schema":
      return {
        type: "json",
        schema: readObject(format.schema, `${path}.schema`),
        ...defined({
          name: optional(readString, format.name, `${path}.name`),
          description: optional(readString, format.description, `${path}.description`),
        }),
      };
    default:
      if (format === undefined) return undefined;
      throw invalidRequest(`${path}.type: expected "text", "json_object" or "json_schema"`, `${path}.type`);
  }
}
