import type { Conversation, TextShape, ToolChoice } from "../../answers/conversation.ts";
import { readDirectives } from "../../answers/directives.ts";
import { countTokens } from "../../answers/tokens.ts";
import { type JsonObject, numberOf, objectOf, objectsIn, stringOf } from "../../util/json.ts";
import { mediaTokens, textOfContent } from "../content-parts.ts";
import { modelName } from "../model-name.ts";
import { reasoningTokensOf } from "../reasoning-effort.ts";
import { offeredTools } from "./offered-tools.ts";

/** Reads a responses request together with all items that came before it. */
export function readResponse(body: JsonObject, items: readonly JsonObject[]): Conversation {
  const lastUser = items.findLast((item) => item.type === "message" && item.role === "user");
  const { effort } = objectOf(body.reasoning);
  return {
    model: modelName(body),
    directives: readDirectives(textOfContent(lastUser?.content)),
    instructions: [
      stringOf(body.instructions) ?? "",
      ...items
        .filter(({ role }) => role === "system" || role === "developer")
        .map(({ content }) => textOfContent(content)),
    ].join("\n"),
    toolResults: trailingOutputs(items),
    tools: offeredTools(body),
    toolChoice: toolChoiceOf(body),
    parallelTools: body.parallel_tool_calls !== false,
    searches: objectsIn(body.tools).some(({ type }) => /^web_search/.test(stringOf(type) ?? "")),
    inputTokens: inputTokensOf(body, items),
    maxTokens: numberOf(body.max_output_tokens),
    stop: [],
    shape: shapeOf(objectOf(objectOf(body.text).format)),
    thinking: typeof effort === "string" && effort !== "none",
    reasoningTokens: reasoningTokensOf(effort),
  };
}

/** Input tokens of a request: instructions, tools and all items. */
export function inputTokensOf(body: JsonObject, items: readonly JsonObject[]): number {
  let total = countTokens(stringOf(body.instructions) ?? "");
  if (body.tools !== undefined) total += countTokens(JSON.stringify(body.tools));
  for (const item of items) {
    if (item.type === "message")
      total += countTokens(textOfContent(item.content)) + mediaTokens(item.content);
    else if (isOutput(item)) total += countTokens(outputText(item));
    else if (item.type !== "reasoning")
      total += countTokens(stringOf(item.arguments) ?? stringOf(item.input) ?? "");
  }
  return total;
}

function trailingOutputs(items: readonly JsonObject[]): string[] {
  const results: string[] = [];
  for (const item of items.toReversed()) {
    if (!isOutput(item)) break;
    results.unshift(outputText(item));
  }
  return results;
}

function isOutput({ type }: JsonObject): boolean {
  return type === "function_call_output" || type === "custom_tool_call_output";
}

function outputText(item: JsonObject): string {
  return textOfContent(item.output);
}

function toolChoiceOf(body: JsonObject): ToolChoice {
  const choice = body.tool_choice;
  if (choice === "none" || choice === "required") return choice;
  const name = stringOf(objectOf(choice).name);
  return name === undefined ? "auto" : { name };
}

function shapeOf(format: JsonObject): TextShape | undefined {
  if (format.type === "json_object") return { kind: "json" };
  return format.type === "json_schema" && format.schema !== undefined
    ? { kind: "schema", schema: format.schema }
    : undefined;
}
