import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3ProviderTool,
} from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import { defined, type JsonObject } from "../../contract/json.ts";
import { readNeutralOptions } from "../../formats/provider-options.ts";
import { objectSchema } from "../../formats/tools/tool-schema.ts";
import { alternatingTurns } from "../alternating-turns.ts";
import { type Thinking, thinkingOf } from "./thinking.ts";
import { cacheControl, messagesBlocks } from "./to-content.ts";

/** `max_tokens`, which Anthropic wants and chat completions leave out; the first models stop at 4096. */
const DEFAULT_MAX_TOKENS = 16_384;
const FIRST_MODELS_MAX_TOKENS = 4096;

const JSON_ONLY = "Answer with one JSON object and nothing else.";

/** A neutral call as a Messages request, without `stream`. */
export function toMessagesRequest(options: LanguageModelV3CallOptions, model: string): JsonObject {
  const thinking = thinkingOf(options, model);
  const { system, messages } = alternatingTurns(options.prompt, messagesBlocks);
  const { user, serviceTier } = readNeutralOptions(options);
  const instructions = [...system, ...formatInstruction(options)];
  return {
    model,
    messages,
    max_tokens: maxTokens(options, model) + (thinking?.budget ?? 0),
    ...(instructions.length === 0 ? {} : { system: instructions }),
    ...defined({
      ...samplingSettings(options, thinking),
      thinking: thinking?.thinking,
      output_config: outputConfig(options, thinking),
      stop_sequences: options.stopSequences,
      // Without a word Anthropic takes what was bought of its priority tier, which is OpenAI's "auto".
      service_tier: serviceTier === "default" ? "standard_only" : undefined,
      metadata: user === undefined ? undefined : { user_id: user },
      ...toolSettings(options, thinking),
    }),
  };
}

function maxTokens({ maxOutputTokens }: LanguageModelV3CallOptions, model: string): number {
  return maxOutputTokens ?? (/claude-3-(?!5|7)/.test(model) ? FIRST_MODELS_MAX_TOKENS : DEFAULT_MAX_TOKENS);
}

// Anthropic's scale ends at 1, OpenAI's at 2. With thinking it takes no sampling settings.
function samplingSettings(options: LanguageModelV3CallOptions, thinking: Thinking | undefined) {
  if (thinking !== undefined) return {};
  const { temperature, topP, topK } = options;
  return {
    temperature: temperature === undefined ? undefined : Math.min(1, temperature),
    top_p: topP,
    top_k: topK,
  };
}

function outputConfig(
  { responseFormat: format }: LanguageModelV3CallOptions,
  thinking: Thinking | undefined,
): JsonObject | undefined {
  const schema = format?.type === "json" ? format.schema : undefined;
  const config = defined({
    effort: thinking?.effort,
    format: schema === undefined ? undefined : { type: "json_schema", schema },
  });
  return Object.keys(config).length === 0 ? undefined : config;
}

function formatInstruction({ responseFormat: format }: LanguageModelV3CallOptions): JsonObject[] {
  const anyJson = format?.type === "json" && format.schema === undefined;
  return anyJson ? [{ type: "text", text: JSON_ONLY }] : [];
}

function toolSettings(options: LanguageModelV3CallOptions, thinking: Thinking | undefined) {
  const { tools } = options;
  if (tools === undefined || tools.length === 0) return {};
  return { tools: tools.map(toTool), tool_choice: toolChoice(options, thinking) };
}

function toTool(tool: LanguageModelV3FunctionTool | LanguageModelV3ProviderTool): JsonObject {
  if (tool.type === "provider") {
    const [provider, type] = [
      tool.id.slice(0, tool.id.indexOf(".")),
      tool.id.slice(tool.id.indexOf(".") + 1),
    ];
    if (provider === "anthropic") return { type, name: tool.name, ...tool.args };
    throw invalidRequest(`tools: the tool ${tool.id} is not available at the provider anthropic`, "tools");
  }
  const { name, description, inputSchema, strict, providerOptions } = tool;
  const schema = objectSchema(inputSchema as JsonObject);
  return {
    name,
    input_schema: { type: "object", ...schema },
    ...defined({ description, strict: strict === true && schema === inputSchema ? true : undefined }),
    ...cacheControl(providerOptions),
  };
}

function toolChoice(
  options: LanguageModelV3CallOptions,
  thinking: Thinking | undefined,
): JsonObject | undefined {
  const single =
    readNeutralOptions(options).parallelToolCalls === false ? { disable_parallel_tool_use: true } : {};
  const choice = options.toolChoice;
  switch (choice?.type) {
    case "none":
      return { type: "none" };
    // Anthropic refuses to force a tool while the model thinks.
    case "required":
      return { type: thinking === undefined ? "any" : "auto", ...single };
    case "tool":
      return thinking === undefined
        ? { type: "tool", name: choice.toolName, ...single }
        : { type: "auto", ...single };
    default:
      return choice === undefined && Object.keys(single).length === 0
        ? undefined
        : { type: "auto", ...single };
  }
}
