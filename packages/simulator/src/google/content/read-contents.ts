import type { Conversation, OfferedTool, TextShape, ToolChoice } from "../../answers/conversation.ts";
import { readDirectives } from "../../answers/directives.ts";
import { countTokens } from "../../answers/tokens.ts";
import {
  isObject,
  type JsonObject,
  numberOf,
  objectOf,
  objectsIn,
  stringOf,
  stringsIn,
} from "../../util/json.ts";
import { invalidArgument } from "../failures.ts";
import { member } from "../members.ts";
import { partsOf, textOfParts, tokensOfContent } from "./parts.ts";

/** Reads checked contents. */
export function readContents(model: string, body: JsonObject, contents: readonly JsonObject[]): Conversation {
  const config = objectOf(member(body, "generationConfig"));
  const speaking = contents.findLast((content) => content.role !== "model" && textOfParts(content) !== "");
  const tools = offeredTools(body);
  const calling = objectOf(member(objectOf(member(body, "toolConfig")), "functionCallingConfig"));
  const allowed = stringsIn(member(calling, "allowedFunctionNames"));
  const thinking = objectOf(member(config, "thinkingConfig"));
  return {
    model,
    directives: readDirectives(textOfParts(speaking)),
    instructions: textOfParts(objectOf(member(body, "systemInstruction"))),
    toolResults: trailingResults(contents),
    tools: allowed.length === 0 ? tools : tools.filter((tool) => allowed.includes(tool.name)),
    toolChoice: toolChoiceOf(calling),
    parallelTools: true,
    searches: objectsIn(body.tools).some((tool) => isObject(member(tool, "googleSearch"))),
    inputTokens: inputTokensOf(body, contents),
    maxTokens: numberOf(member(config, "maxOutputTokens")),
    stop: stringsIn(member(config, "stopSequences")),
    shape: shapeOf(config),
    thinking: member(thinking, "includeThoughts") === true,
    reasoningTokens: 0,
  };
}

/** Input tokens of a request: contents, system instruction and tools. */
export function inputTokensOf(body: JsonObject, contents: readonly JsonObject[]): number {
  const tools = objectsIn(body.tools);
  return (
    contents.reduce((sum, content) => sum + tokensOfContent(content), 0) +
    tokensOfContent(member(body, "systemInstruction")) +
    (tools.length === 0 ? 0 : countTokens(JSON.stringify(tools)))
  );
}

function trailingResults(contents: readonly JsonObject[]): string[] {
  return partsOf(contents.at(-1))
    .map((part) => member(part, "functionResponse"))
    .filter(isObject)
    .map((result) => resultText(objectOf(result.response)));
}

// Clients wrap a tool's text under differing names; anything else is shown as JSON.
function resultText(response: JsonObject): string {
  const inner = response.output ?? response.result ?? response.content ?? response;
  return typeof inner === "string" ? inner : JSON.stringify(inner);
}

function offeredTools(body: JsonObject): OfferedTool[] {
  const seen = new Set<string>();
  return objectsIn(body.tools)
    .flatMap((tool) => objectsIn(member(tool, "functionDeclarations")))
    .map((declaration, index) => {
      const name = stringOf(declaration.name) ?? "";
      checkName(name, index);
      if (seen.has(name)) throw invalidArgument(`Duplicate function declaration found: ${name}`);
      seen.add(name);
      const schema = member(declaration, "parametersJsonSchema") ?? declaration.parameters;
      return { name, schema: schema ?? { type: "object" } };
    });
}

function checkName(name: string, index: number): void {
  if (/^[a-zA-Z_][\w.:-]{0,63}$/.test(name)) return;
  throw invalidArgument(
    `* GenerateContentRequest.tools[0].function_declarations[${index}].name: Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.\n`,
  );
}

function toolChoiceOf(calling: JsonObject): ToolChoice {
  const mode = stringOf(calling.mode)?.toUpperCase();
  if (mode === "NONE") return "none";
  return mode === "ANY" ? "required" : "auto";
}

function shapeOf(config: JsonObject): TextShape | undefined {
  if (member(config, "responseMimeType") !== "application/json") return undefined;
  const schema = member(config, "responseJsonSchema") ?? member(config, "responseSchema");
  return schema === undefined ? { kind: "json" } : { kind: "schema", schema };
}
