import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3ProviderTool,
  LanguageModelV3ToolChoice,
} from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { optional, readArray, readName, readObject, readString } from "../fields.ts";
import { CallerTools, functionName } from "./caller-tools.ts";

type Tool = LanguageModelV3FunctionTool | LanguageModelV3ProviderTool;

// OpenAI API reference, "Create a model response": `tool_choice`.
const readMode = readName(["none", "auto", "required"]);
const readAllowedMode = readName(["auto", "required"]);
const readChoiceType = readName([
  "function",
  "allowed_tools",
  "mcp",
  "file_search",
  "web_search_preview",
  "web_search_preview_2025_03_11",
  "web_search",
  "computer",
  "computer_use",
  "computer_use_preview",
  "code_interpreter",
  "image_generation",
  "tool_search",
  "programmatic_tool_calling",
  "apply_patch",
  "shell",
]);

/** `tools` as functions and hosted tools; with a `tool_choice` of `allowed_tools`, only those it names. */
export function readTools(body: JsonObject): Tool[] | undefined {
  if (body.tools === undefined || body.tools === null) return undefined;
  const tools = [...CallerTools.of(body.tools).tools];
  const choice = body.tool_choice;
  if (tools.length === 0 || !isJsonObject(choice) || choice.type !== "allowed_tools") return tools;
  const allowed = new Set(
    readArray(choice.tools, "tool_choice.tools").map((entry, index) => {
      const { name, namespace, type } = readObject(entry, `tool_choice.tools.${index}`);
      return typeof name === "string" ? functionName(namespace, name) : type;
    }),
  );
  return tools.filter((tool) => allowed.has(tool.name));
}

/** `tool_choice` as the neutral one. */
export function readToolChoice(value: unknown, path: string): LanguageModelV3ToolChoice {
  if (value === "auto" || value === "none" || value === "required") return { type: value };
  if (typeof value === "string") readMode(value, path);
  const choice = readObject(value, path);
  if (choice.type === "function" || choice.type === "custom") {
    const name = readString(choice.name, `${path}.name`);
    return { type: "tool", toolName: functionName(choice.namespace, name) };
  }
  if (choice.type === "allowed_tools")
    return {
      type: optional(readAllowedMode, choice.mode, `${path}.mode`) === "required" ? "required" : "auto",
    };
  readChoiceType(choice.type, `${path}.type`);
  throw invalidRequest(
    `${path}.type: ${JSON.stringify(choice.type)} is not supported by this model's provider`,
    `${path}.type`,
  );
}
