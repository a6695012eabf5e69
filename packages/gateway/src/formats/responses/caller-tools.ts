import type { LanguageModelV3FunctionTool, LanguageModelV3ProviderTool } from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import { type JsonObject, parseJsonObject } from "../../contract/json.ts";
import { optional, readArray, readFunctionTool, readObject, readString } from "../fields.ts";

type Tool = LanguageModelV3FunctionTool | LanguageModelV3ProviderTool;

/** A tool as the caller declared it. */
export interface CallerTool {
  readonly type: "function" | "custom";
  readonly name: string;
  readonly namespace?: string;
}

/** Between a namespace and a tool's name; names of functions have no dots. */
const SEPARATOR = "__";

/**
 * The caller's tools and their names as functions. Responses groups functions into namespaces and has custom tools,
 * which take free text (OpenAI API reference, "Create a model response": `tools`); other models know functions with
 * one name and JSON arguments.
 */
export class CallerTools {
  readonly tools: readonly Tool[];
  readonly #callers: ReadonlyMap<string, CallerTool>;

  private constructor(tools: readonly Tool[], callers: ReadonlyMap<string, CallerTool>) {
    this.tools = tools;
    this.#callers = callers;
  }

  /**
   * The tools of a request, read once for the call and for its answer.
   * @throws GatewayError 400 naming the tool at fault, also two of one name
   */
  static of(value: unknown): CallerTools {
    if (!Array.isArray(value)) return CallerTools.#read(value);
    let known = remembered.get(value);
    if (known === undefined) {
      known = CallerTools.#read(value);
      remembered.set(value, known);
    }
    return known;
  }

  static #read(value: unknown): CallerTools {
    const tools: Tool[] = [];
    const callers = new Map<string, CallerTool>();
    const add = (tool: Tool, caller: CallerTool | undefined, path: string): void => {
      tools.push(tool);
      if (caller === undefined) return;
      if (callers.has(tool.name))
        throw invalidRequest(`${path}.name: there are two tools ${caller.name}`, path);
      callers.set(tool.name, caller);
    };
    for (const [index, entry] of (optional(readArray, value, "tools") ?? []).entries()) {
      const path = `tools.${index}`;
      const tool = readObject(entry, path);
      const type = readString(tool.type, `${path}.type`);
      if (type === "function") {
        const read = readFunctionTool(tool, path);
        add(read, { type, name: read.name }, path);
      } else if (type === "custom") {
        const read = customTool(tool, path);
        add(read, { type, name: read.name }, path);
      } else if (type === "namespace") {
        for (const [read, caller, at] of namespaceTools(tool, path)) add(read, caller, at);
      } else add({ type: "provider", id: `openai.${type}`, name: type, args: tool }, undefined, path);
    }
    return new CallerTools(tools, callers);
  }

  /** What a call of a function means to the caller. */
  callerTool(functionName: string): CallerTool {
    return this.#callers.get(functionName) ?? { type: "function", name: functionName };
  }
}

const remembered = new WeakMap<readonly unknown[], CallerTools>();

/** The name as a function of a tool that an item of the conversation or `tool_choice` names. */
export function functionName(namespace: unknown, name: string): string {
  return typeof namespace === "string" && namespace !== "" ? `${namespace}${SEPARATOR}${name}` : name;
}

/** A custom tool's one argument. */
export const CUSTOM_INPUT = "input";

/** The text that a custom tool was called with; a model that does not keep to the schema wrote the text itself. */
export function customInput(argumentsText: string): string {
  const input = parseJsonObject(argumentsText)?.[CUSTOM_INPUT];
  return typeof input === "string" ? input : argumentsText;
}

function* namespaceTools(
  namespace: JsonObject,
  path: string,
): Generator<[LanguageModelV3FunctionTool, CallerTool, string]> {
  const space = readString(namespace.name, `${path}.name`);
  for (const [index, entry] of readArray(namespace.tools, `${path}.tools`).entries()) {
    const at = `${path}.tools.${index}`;
    const tool = readObject(entry, at);
    const type = tool.type === "custom" ? "custom" : "function";
    const read = type === "custom" ? customTool(tool, at) : readFunctionTool(tool, at);
    const caller = { type, name: read.name, namespace: space } as const;
    yield [{ ...read, name: functionName(space, read.name) }, caller, at];
  }
}

/** A tool with free text as a function with one text; a grammar becomes a part of its description. */
function customTool(tool: JsonObject, path: string): LanguageModelV3FunctionTool {
  const description = optional(readString, tool.description, `${path}.description`) ?? "";
  const format = optional(readObject, tool.format, `${path}.format`);
  const grammar =
    format?.type === "grammar"
      ? `\n\nThe input must match this ${readString(format.syntax, `${path}.format.syntax`)} grammar:\n${readString(format.definition, `${path}.format.definition`)}`
      : "";
  return {
    type: "function",
    name: readString(tool.name, `${path}.name`),
    description: description + grammar,
    inputSchema: {
      type: "object",
      properties: {
        [CUSTOM_INPUT]: { type: "string", description: "The tool's whole input as plain text." },
      },
      required: [CUSTOM_INPUT],
      additionalProperties: false,
    },
  };
}
