import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3ProviderTool,
  LanguageModelV3ToolChoice,
} from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { optional, readFunctionTool, readList, readObject, readString } from "../fields.ts";
import { withOptions } from "../provider-options.ts";
import { cacheControl } from "./read-content.ts";

type Tool = LanguageModelV3FunctionTool | LanguageModelV3ProviderTool;

/** `tools`, and `functions` as they were before. */
export function readTools(body: JsonObject): Tool[] | undefined {
  const tools = optional(readList(readTool), body.tools, "tools");
  return tools ?? optional(readList(readFunctionTool), body.functions, "functions");
}

/** `tool_choice`, and `function_call` as it was before. */
export function readToolChoice(body: JsonObject): LanguageModelV3ToolChoice | undefined {
  const [value, path] =
    body.tool_choice === undefined
      ? [body.function_call, "function_call"]
      : [body.tool_choice, "tool_choice"];
  if (value === undefined || value === null) return undefined;
  if (value === "auto" || value === "none" || value === "required") return { type: value };
  if (typeof value === "string") {
    throw invalidRequest(`${path}: expected "auto", "none", "required" or a tool`, path);
  }
  const choice = readObject(value, path);
  const named = path === "function_call" ? choice : readObject(choice.function, `${path}.function`);
  return { type: "tool", toolName: readString(named.name, `${path}.function.name`) };
}

function readTool(value: unknown, path: string): Tool {
  const tool = readObject(value, path);
  const type = readString(tool.type, `${path}.type`);
  if (type === "function") {
    return { ...readFunctionTool(tool.function, `${path}.function`), ...withOptions(cacheControl(tool)) };
  }
  return { type: "provider", id: `openai.${type}`, name: type, args: tool };
}
