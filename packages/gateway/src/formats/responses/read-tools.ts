import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3ProviderTool,
  LanguageModelV3ToolChoice,
} from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { optional, readArray, readList, readName, readObject, readString } from "../fields.ts";
import { readFunctionTool } from "../function-tool.ts";

type Tool = LanguageModelV3FunctionTool | LanguageModelV3ProviderTool;

// OpenAI API reference, "Create a model response": `tool_choice`.
const readMode = readName(["none", "auto", "required"]);
const readAllowedMode = readName(["auto", "required"]);
const readChoiceType = readName([
  "function",
  "allowed_tools",
  "custom",
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

/** `tools`; with a `tool_choice` of `allowed_tools`, only those it names. */
export function readTools(body: JsonObject): Tool[] | undefined {
  const tools = optional(readList(readTool), body.tools, "tools");
  const choice = body.tool_choice;
  if (tools === undefined || !isJsonObject(choice) || choice.type !== "allowed_tools") return tools;
  const allowed = new Set(
    readArray(choice.tools, "tool_choice.tools").map(
      (tool, index) => readObject(tool, `tool_choice.tools.${index}`).name,
    ),
  );
  return tools.filter((tool) => allowed.has(tool.name));
}

/** `tool_choice` as the neutral one. */
export function readToolChoice(value: unknown, path: string): LanguageModelV3ToolChoice {
  if (value === "auto" || value === "none" || value === "required") return { type: value };
  if (typeof value === "string") readMode(value, path);
  const choice = readObject(value, path);
  if (choice.type === "function") {
    return { type: "tool", toolName: readString(choice.name, `${path}.name`) };
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

function readTool(value: unknown, path: string): Tool {
  const tool = readObject(value, path);
  const type = readString(tool.type, `${path}.type`);
  if (type !== "function") return { type: "provider", id: `openai.${type}`, name: type, args: tool };
  return readFunctionTool(tool, path);
}
