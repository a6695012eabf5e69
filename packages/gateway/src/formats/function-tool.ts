import type { LanguageModelV3FunctionTool } from "@ai-sdk/provider";
import { defined } from "../util/defined.ts";
import { optional, readBoolean, readObject, readString } from "./fields.ts";

/** A function's definition, which chat completions and Responses write alike. */
export function readFunctionTool(value: unknown, path: string): LanguageModelV3FunctionTool {
  const definition = readObject(value, path);
  return {
    type: "function",
    name: readString(definition.name, `${path}.name`),
    inputSchema: optional(readObject, definition.parameters, `${path}.parameters`) ?? {
      type: "object",
      properties: {},
    },
    ...defined({
      description: optional(readString, definition.description, `${path}.description`),
      strict: optional(readBoolean, definition.strict, `${path}.strict`),
    }),
  };
}
