import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { GatewayError, invalidRequest } from "../../contract/errors.ts";
import { defined, type JsonObject, objectOf } from "../../contract/json.ts";
import {
  optional,
  readInteger,
  readList,
  readNumber,
  readObject,
  readPositiveInteger,
  readString,
} from "../fields.ts";
import {
  type NeutralOptions,
  neutralOptions,
  type ReasoningOption,
  withOptions,
} from "../provider-options.ts";
import { readPrompt } from "./read-prompt.ts";
import { readTool, readToolChoice } from "./read-tools.ts";

/**
 * A Messages request as a neutral call (Anthropic API reference, "Create a Message").
 * @throws GatewayError 400 naming the field at fault
 */
export function messagesToCallOptions(body: JsonObject): LanguageModelV3CallOptions {
  refuseThread(body.thread);
  return {
    prompt: readPrompt(body),
    maxOutputTokens: readPositiveInteger(body.max_tokens, "max_tokens"),
    ...defined({
      stopSequences: optional(readList(readString), body.stop_sequences, "stop_sequences"),
      temperature: optional(readNumber, body.temperature, "temperature"),
      topP: optional(readNumber, body.top_p, "top_p"),
      topK: optional(readInteger, body.top_k, "top_k"),
      tools: optional(readList(readTool), body.tools, "tools"),
      toolChoice: optional(readToolChoice, body.tool_choice, "tool_choice"),
      responseFormat: readResponseFormat(body),
    }),
    ...withOptions(neutralOptions(readShared(body))),
  };
}

/**
 * A message thread continues a conversation that Anthropic keeps; no other provider has its history. Anthropic's client
 * sends the whole conversation again where it is refused with these details (@anthropic-ai/sdk, ThreadState).
 */
function refuseThread(thread: unknown): void {
  if (thread === undefined || thread === null) return;
  throw new GatewayError(
    400,
    "invalid_request_error",
    "thread: this model's provider keeps no message threads; send the whole conversation",
    { param: "thread", details: { error_code: "thread_unsupported_request", unsupported: ["thread"] } },
  );
}

function readShared(body: JsonObject): NeutralOptions {
  const metadata = optional(readObject, body.metadata, "metadata");
  const choice = objectOf(body.tool_choice);
  return defined({
    reasoning: readReasoning(body),
    parallelToolCalls: choice.disable_parallel_tool_use === true ? false : undefined,
    user: optional(readString, metadata?.user_id, "metadata.user_id"),
    serviceTier: readTier(body.service_tier),
  });
}

/** Anthropic's words are `auto` and `standard_only`; those of other providers travel too. */
function readTier(value: unknown): string | undefined {
  const tier = optional(readString, value, "service_tier");
  return tier === "standard_only" ? "default" : tier;
}

function readReasoning(body: JsonObject): ReasoningOption | undefined {
  const thinking = optional(readObject, body.thinking, "thinking");
  const config = optional(readObject, body.output_config, "output_config");
  const effort = optional(readString, config?.effort, "output_config.effort");
  if (thinking === undefined) return effort === undefined ? undefined : { effort };
  switch (readString(thinking.type, "thinking.type")) {
    case "enabled":
      return {
        budgetTokens: readPositiveInteger(thinking.budget_tokens, "thinking.budget_tokens"),
        ...defined({ effort }),
      };
    case "disabled":
      return { disabled: true };
    default:
      return { effort: effort ?? "medium" };
  }
}

/** `output_config.format`, or `output_format` as its beta had it. */
function readResponseFormat(body: JsonObject): LanguageModelV3CallOptions["responseFormat"] {
  const config = optional(readObject, body.output_config, "output_config");
  const [value, path] =
    config?.format === undefined
      ? [body.output_format, "output_format"]
      : [config.format, "output_config.format"];
  const format = optional(readObject, value, path);
  if (format === undefined) return undefined;
  if (format.type !== "json_schema") {
    throw invalidRequest(`${path}.type: expected "json_schema"`, `${path}.type`);
  }
  return { type: "json", schema: readObject(format.schema, `${path}.schema`), name: "response" };
}
