import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3ProviderTool,
  LanguageModelV3ToolChoice,
} from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import { defined } from "../../contract/json.ts";
import { optional, readBoolean, readObject, readString } from "../fields.ts";
import { withOptions } from "../provider-options.ts";
import { readCacheControl } from "./read-content.ts";

/** One of `tools`: the caller's own (`custom`), or one that Anthropic runs, by its dated type. */
export function readTool(
  value: unknown,
  path: string,
): LanguageModelV3FunctionTool | LanguageModelV3ProviderTool {
  const tool = readObject(value, path);
  const name = readString(tool.name, `${path}.name`);
  const type = optional(readString, tool.type, `${path}.type`) ?? "custom";
  if (type !== "custom") {
    const { type: _, name: __, ...args } = tool;
    return { type: "provider", id: `anthropic.${type}`, name, args };
  }
  return {
    type: "function",
    name,
    inputSchema: readObject(tool.input_schema, `${path}.input_schema`),
    ...defined({
      description: optional(readString, tool.description, `${path}.description`),
      strict: optional(readBoolean, tool.strict, `${path}.strict`),
    }),
    ...withOptions(readCacheControl(tool)),
  };
}

/** `tool_choice` as the neutral one. */
export function readToolChoice(value: unknown, path: string): LanguageModelV3ToolChoice {
  const choice = readObject(value, path);
  switch (choice.type) {
    case "auto":
    case "none":
      return { type: choice.type };
    case "any":
      return { type: "required" };
    case "tool":
      return { type: "tool", toolName: readString(choice.name, `${path}.name`) };
    default:
      throw invalidRequest(`${path}.type: expected "auto", "any", "tool" or "none"`, `${path}.type`);
  }
}
