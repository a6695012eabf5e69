import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import { defined, type JsonObject } from "../../contract/json.ts";
import { boughtTier, readProviderSettings } from "../../formats/provider-options.ts";
import { objectSchema } from "../../formats/tools/tool-schema.ts";
import { alternatingTurns } from "../alternating-turns.ts";
import { thinkingOf } from "../anthropic/thinking.ts";
import { systemTool } from "./hosted-tool.ts";
import { cachePoint, converseBlocks } from "./to-content.ts";

/** Converse has no answers in the shape of a schema; a tool that must be called, with the answer as input, has. */
export const ANSWER_TOOL = "answer_as_json";

/** Stands where a tool is wanted and there is none. */
const NO_TOOL = {
  toolSpec: {
    name: "unavailable",
    description: "There is nothing to call any more. Answer in words.",
    inputSchema: { json: { type: "object", properties: {} } },
  },
};

const DEFAULT_MAX_TOKENS = 16_384;
const FIRST_MODELS_MAX_TOKENS = 4096;

/** A neutral call as a Converse request. */
export function toConverse(options: LanguageModelV3CallOptions, model: string): JsonObject {
  const thinking = model.includes("claude") ? thinkingOf(options, model) : undefined;
  const { system, messages } = alternatingTurns(options.prompt, converseBlocks);
  const { temperature, topP, topK, stopSequences } = options;
  const samples = thinking === undefined;
  const tier = boughtTier(options);
  const fields = defined({
    thinking: thinking?.thinking,
    output_config: thinking?.effort === undefined ? undefined : { effort: thinking.effort },
    top_k: samples ? topK : undefined,
  });
  return {
    messages,
    ...(system.length === 0 ? {} : { system }),
    inferenceConfig: defined({
      maxTokens: maxTokens(options, model) + (thinking?.budget ?? 0),
      temperature: samples && temperature !== undefined ? Math.min(1, temperature) : undefined,
      topP: samples ? topP : undefined,
      stopSequences,
    }),
    ...toolConfig(options, !samples),
    ...readProviderSettings(options, ["guardrailConfig", "performanceConfig", "requestMetadata"]),
    ...(tier === undefined ? {} : { serviceTier: { type: tier } }),
    ...(Object.keys(fields).length === 0 ? {} : { additionalModelRequestFields: fields }),
  };
}

function maxTokens({ maxOutputTokens }: LanguageModelV3CallOptions, model: string): number {
  if (maxOutputTokens !== undefined) return maxOutputTokens;
  return /claude-(?:opus|sonnet|haiku)-[4-9]|claude-3-[57]/.test(model)
    ? DEFAULT_MAX_TOKENS
    : FIRST_MODELS_MAX_TOKENS;
}

function toolConfig(options: LanguageModelV3CallOptions, thinks: boolean): JsonObject {
  const { toolChoice, responseFormat: format } = options;
  // Bedrock has no word for "none", and wants the tools while the conversation has calls of them.
  const isNone = toolChoice?.type === "none" && !options.prompt.some(({ role }) => role === "tool");
  const tools = isNone ? [] : (options.tools ?? []).flatMap(toTool);
  const schema = format?.type === "json" ? format.schema : undefined;
  if (schema !== undefined) {
    const description = "Give the answer as this tool's input.";
    tools.push({ toolSpec: { name: ANSWER_TOOL, description, inputSchema: { json: schema } } });
  }
  // Bedrock refuses a conversation with calls of tools unless there is a tool, also where the caller is done with them.
  if (tools.length === 0) return options.prompt.some(hasTools) ? { toolConfig: { tools: [NO_TOOL] } } : {};
  return { toolConfig: { tools, ...choiceOf(toolChoice, schema !== undefined, thinks) } };
}

function hasTools({ role, content }: LanguageModelV3CallOptions["prompt"][number]): boolean {
  return role === "tool" || (role === "assistant" && content.some(({ type }) => type === "tool-call"));
}

function choiceOf(
  choice: LanguageModelV3CallOptions["toolChoice"],
  hasSchema: boolean,
  thinks: boolean,
): JsonObject {
  // Claude refuses to be forced while it thinks.
  if (thinks) return {};
  if (choice?.type === "tool") return { toolChoice: { tool: { name: choice.toolName } } };
  return choice?.type === "required" || hasSchema ? { toolChoice: { any: {} } } : {};
}

function toTool(tool: NonNullable<LanguageModelV3CallOptions["tools"]>[number]): JsonObject[] {
  if (tool.type === "provider") {
    const own = systemTool(tool);
    if (own !== undefined) return [own];
    throw invalidRequest(`tools: the tool ${tool.id} is not available at the provider bedrock`, "tools");
  }
  const { name, description, inputSchema, providerOptions } = tool;
  const spec = {
    name,
    inputSchema: { json: { type: "object", ...objectSchema(inputSchema as JsonObject) } },
    ...defined({ description }),
  };
  return [{ toolSpec: spec }, ...cachePoint(providerOptions)];
}
