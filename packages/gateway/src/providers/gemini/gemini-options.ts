import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Message,
  LanguageModelV3ProviderTool,
  LanguageModelV3ToolResultOutput,
} from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import { defined } from "../../contract/json.ts";
import {
  boughtTier,
  optionsFor,
  readNeutralOptions,
  readProviderSettings,
  withOptions,
} from "../../formats/provider-options.ts";
import { reasoningBudget, reasoningEffort } from "../../formats/reasoning-effort.ts";
import { readWebSearch } from "../../formats/tools/web-search.ts";
import { toolOutputText } from "../file-data.ts";
import { fitSchemas } from "./fit-schema.ts";

/** Gemini 3 takes a level instead of a budget. */
const takesLevel = /gemini-[3-9]/;
const levels: ReadonlyMap<string, string> = new Map([
  ["minimal", "low"],
  ["low", "low"],
  ["medium", "medium"],
]);

/** Gemini searches with Google, but not beside functions, which the call is more likely to be about. */
export function geminiHostedTool(
  tool: LanguageModelV3ProviderTool,
  { tools }: LanguageModelV3CallOptions,
): LanguageModelV3ProviderTool | undefined {
  if (readWebSearch(tool) === undefined || tools?.some(({ type }) => type === "function")) return undefined;
  return { type: "provider", id: "google.google_search", name: "google_search", args: {} };
}

/** The neutral call with what Gemini's library reads under its own name, and without other providers' tools. */
export function geminiOptions(
  options: LanguageModelV3CallOptions,
  model: string,
  provider: string,
): LanguageModelV3CallOptions {
  const foreign = options.tools?.find((tool) => tool.type === "provider" && !tool.id.startsWith("google."));
  if (foreign?.type === "provider") {
    throw invalidRequest(`tools: the tool ${foreign.id} is not available at the provider gemini`, "tools");
  }
  const { safety_settings: safetySettings } = readProviderSettings(options, ["safety_settings"]);
  const settings = defined({
    thinkingConfig: thinking(options, model),
    safetySettings,
    ...tierSettings(options, provider),
  });
  return {
    ...fitSchemas(options),
    prompt: leadingSystem(options.prompt).map(oneResponseEach),
    ...withOptions(optionsFor("google", settings)),
  };
}

// Gemini has one instruction before the conversation and none within it.
function leadingSystem(prompt: LanguageModelV3CallOptions["prompt"]): LanguageModelV3CallOptions["prompt"] {
  const system = prompt.filter((message) => message.role === "system");
  return [...system, ...prompt.filter((message) => message.role !== "system")];
}

/**
 * Gemini wants exactly one answer to each call of a tool. The library makes one of each text and none of files, so
 * the texts of a result become one, which stands before its files.
 */
function oneResponseEach(message: LanguageModelV3Message): LanguageModelV3Message {
  if (message.role !== "tool") return message;
  return {
    ...message,
    content: message.content.map((part) => {
      if (part.type !== "tool-result" || part.output.type !== "content") return part;
      const files = part.output.value.filter((item) => item.type !== "text");
      const text = toolOutputText(part.output);
      const output: LanguageModelV3ToolResultOutput =
        files.length === 0
          ? { type: "text", value: text }
          : { type: "content", value: [{ type: "text", text: text || "The result is attached." }, ...files] };
      return { ...part, output };
    }),
  };
}

/** Gemini's API takes the tier in the body, Vertex AI in a header, which the library writes. */
function tierSettings(options: LanguageModelV3CallOptions, provider: string) {
  const tier = boughtTier(options);
  return provider === "vertex_ai" ? { sharedRequestType: tier } : { serviceTier: tier };
}

function thinking(options: LanguageModelV3CallOptions, model: string) {
  const { reasoning } = readNeutralOptions(options);
  if (reasoning?.disabled === true) return takesLevel.test(model) ? undefined : { thinkingBudget: 0 };
  const thinkingBudget = reasoningBudget(reasoning);
  if (thinkingBudget === undefined) return undefined;
  if (!takesLevel.test(model)) return { thinkingBudget, includeThoughts: true };
  return { thinkingLevel: levels.get(reasoningEffort(reasoning) ?? "high") ?? "high", includeThoughts: true };
}
