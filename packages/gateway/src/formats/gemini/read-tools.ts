import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3ProviderTool,
  LanguageModelV3ToolChoice,
} from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import { defined, type JsonObject } from "../../contract/json.ts";
import { optional, readList, readObject, readObjects, readString } from "../fields.ts";
import { toJsonSchema } from "./json-schema.ts";

type Tool = LanguageModelV3FunctionTool | LanguageModelV3ProviderTool;

/** Google's words for tools that it runs itself, by the names that the AI SDK's library has for them. */
const HOSTED: ReadonlyMap<string, string> = new Map([
  ["googleSearch", "google_search"],
  ["googleSearchRetrieval", "google_search"],
  ["enterpriseWebSearch", "enterprise_web_search"],
  ["codeExecution", "code_execution"],
  ["urlContext", "url_context"],
  ["googleMaps", "google_maps"],
  ["fileSearch", "file_search"],
]);

/** `tools` and `toolConfig` as the neutral ones. @throws GatewayError 400 */
export function readTools(body: JsonObject): Pick<LanguageModelV3CallOptions, "tools" | "toolChoice"> {
  const tools = readObjects(body.tools ?? [], "tools").flatMap(([tool, path]) => readTool(tool, path));
  refuseSameNames(tools);
  const config = optional(readObject, body.toolConfig, "toolConfig");
  const path = "toolConfig.functionCallingConfig";
  const calling = optional(readObject, config?.functionCallingConfig, path) ?? {};
  const names = optional(readList(readString), calling.allowedFunctionNames, `${path}.allowedFunctionNames`);
  const mode = optional(readString, calling.mode, `${path}.mode`)?.toUpperCase() ?? "AUTO";
  const allowed = allowedTools(tools, names, `${path}.allowedFunctionNames`);
  const toolChoice = choiceOf(mode, allowed, names, path);
  return defined({ tools: allowed.length === 0 ? undefined : allowed, toolChoice });
}

function readTool(tool: JsonObject, path: string): Tool[] {
  return Object.entries(tool).flatMap(([name, value]): Tool[] => {
    if (value === undefined || value === null) return [];
    const at = `${path}.${name}`;
    if (name === "functionDeclarations")
      return readObjects(value, at).map(([declaration, where]) => readDeclaration(declaration, where));
    const hosted = HOSTED.get(name);
    if (hosted === undefined) throw invalidRequest(`${at}: this model's provider has no such tool`, at);
    return [{ type: "provider", id: `google.${hosted}`, name: hosted, args: readObject(value, at) }];
  });
}

function readDeclaration(declaration: JsonObject, path: string): LanguageModelV3FunctionTool {
  const { parameters, parametersJsonSchema } = declaration;
  if (parameters !== undefined && parametersJsonSchema !== undefined)
    throw invalidRequest(`${path}: has both parameters and parametersJsonSchema`, path);
  const own = optional(readObject, parametersJsonSchema, `${path}.parametersJsonSchema`);
  const googles = optional(readObject, parameters, `${path}.parameters`);
  return {
    type: "function",
    name: readString(declaration.name, `${path}.name`),
    inputSchema: own ?? (googles === undefined ? undefined : toJsonSchema(googles)) ?? noParameters(),
    ...defined({ description: optional(readString, declaration.description, `${path}.description`) }),
  };
}

function noParameters(): JsonObject {
  return { type: "object", properties: {} };
}

/** Providers refuse the second of a name in words that differ; a call could not be told to belong to either. */
function refuseSameNames(tools: readonly Tool[]): void {
  const seen = new Set<string>();
  for (const { type, name } of tools) {
    if (type !== "function") continue;
    if (seen.has(name))
      throw invalidRequest(`tools: the function ${JSON.stringify(name)} is declared twice`, "tools");
    seen.add(name);
  }
}

/** The functions that may be called; with a list of names the others are left out. */
function allowedTools(tools: readonly Tool[], names: readonly string[] | undefined, path: string): Tool[] {
  if (names === undefined || names.length === 0) return [...tools];
  const missing = names.find((name) => !tools.some((tool) => tool.type === "function" && tool.name === name));
  if (missing !== undefined)
    throw invalidRequest(`${path}: the function ${JSON.stringify(missing)} is not declared`, path);
  return tools.filter((tool) => tool.type !== "function" || names.includes(tool.name));
}

function choiceOf(
  mode: string,
  tools: readonly Tool[],
  names: readonly string[] | undefined,
  path: string,
): LanguageModelV3ToolChoice | undefined {
  switch (mode) {
    case "AUTO":
    case "VALIDATED":
    case "MODE_UNSPECIFIED":
      return undefined;
    case "NONE":
      return { type: "none" };
    case "ANY":
      if (!tools.some(({ type }) => type === "function"))
        throw invalidRequest(`${path}.mode: ANY needs function declarations`, `${path}.mode`);
      return names?.length === 1 ? { type: "tool", toolName: names[0]! } : { type: "required" };
    default:
      throw invalidRequest(`${path}.mode: expected AUTO, ANY, NONE or VALIDATED`, `${path}.mode`);
  }
}

/** A JSON schema in a response's settings: the caller's own, or Google's words converted. */
export function readSchema(config: JsonObject, path: string): JsonObject | undefined {
  const own = config.responseJsonSchema ?? config._responseJsonSchema;
  if (own !== undefined && own !== null) return readObject(own, `${path}.responseJsonSchema`);
  const googles = optional(readObject, config.responseSchema, `${path}.responseSchema`);
  return googles && toJsonSchema(googles);
}
