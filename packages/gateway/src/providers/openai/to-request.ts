import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3ProviderTool,
  LanguageModelV3ToolChoice,
} from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import { defined, type JsonObject, objectOf } from "../../contract/json.ts";
import { readNeutralOptions } from "../../formats/provider-options.ts";
import { reasoningEffort } from "../../formats/reasoning-effort.ts";
import { objectSchema } from "../../formats/tool-schema.ts";
import type { ChatHost } from "./chat-language-model.ts";
import { toMessages } from "./to-messages.ts";

/** A neutral call as a chat completion request, without `stream`. */
export function toChatRequest(
  options: LanguageModelV3CallOptions,
  model: string,
  host: ChatHost,
  reasons: boolean,
): JsonObject {
  const { parallelToolCalls, user, serviceTier } = readNeutralOptions(options);
  const hasTools = options.tools !== undefined && options.tools.length > 0;
  const openai: unknown = host.hasOpenaiReasoning ? options.providerOptions?.openai : undefined;
  return {
    model,
    messages: toMessages(options.prompt, host.sendsReasoning),
    ...defined({
      ...(reasons ? reasoningSettings(options) : samplingSettings(options)),
      response_format: responseFormat(options),
      tools: hasTools ? options.tools?.map((tool) => toTool(tool, host)) : undefined,
      tool_choice: hasTools && options.toolChoice ? toToolChoice(options.toolChoice) : undefined,
      parallel_tool_calls: hasTools ? parallelToolCalls : undefined,
      user: host.hasOpenaiReasoning ? user : undefined,
      service_tier: host.hasOpenaiReasoning ? serviceTier : undefined,
    }),
    ...objectOf(openai),
  };
}

function samplingSettings(options: LanguageModelV3CallOptions) {
  return {
    max_tokens: options.maxOutputTokens,
    temperature: options.temperature,
    top_p: options.topP,
    presence_penalty: options.presencePenalty,
    frequency_penalty: options.frequencyPenalty,
    stop: options.stopSequences,
    seed: options.seed,
    reasoning_effort: undefined,
  };
}

function reasoningSettings(options: LanguageModelV3CallOptions) {
  const { reasoning } = readNeutralOptions(options);
  return {
    max_completion_tokens: options.maxOutputTokens,
    reasoning_effort: reasoningEffort(reasoning),
    seed: options.seed,
  };
}

function responseFormat({ responseFormat: format }: LanguageModelV3CallOptions): JsonObject | undefined {
  if (format?.type !== "json") return undefined;
  if (format.schema === undefined) return { type: "json_object" };
  const { schema, name, description } = format;
  return {
    type: "json_schema",
    json_schema: { name: name ?? "response", schema, strict: true, ...defined({ description }) },
  };
}

function toTool(
  tool: LanguageModelV3FunctionTool | LanguageModelV3ProviderTool,
  { provider, hasOpenaiReasoning: isOpenai }: ChatHost,
): JsonObject {
  if (tool.type === "provider")
    throw invalidRequest(
      `tools: the tool ${tool.id} is not available at the provider ${provider.name}`,
      "tools",
    );
  const { name, description, inputSchema, strict: asked } = tool;
  // Other hosts take alternatives, and some hold the model to them.
  const parameters = isOpenai ? objectSchema(inputSchema as JsonObject) : inputSchema;
  // Members of some alternatives only need not be there, which a strict function cannot say.
  const strict = parameters === inputSchema ? asked : undefined;
  return { type: "function", function: { name, parameters, ...defined({ description, strict }) } };
}

function toToolChoice(choice: LanguageModelV3ToolChoice): string | JsonObject {
  return choice.type === "tool" ? { type: "function", function: { name: choice.toolName } } : choice.type;
}
