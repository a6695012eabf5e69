import type { Conversation, TextShape, ToolChoice } from "../../answers/conversation.ts";
import { readDirectives } from "../../answers/directives.ts";
import { type JsonObject, numberOf, objectOf, objectsIn, stringOf, stringsIn } from "../../util/json.ts";
import { blocksOf, textOfBlocks } from "./block-text.ts";
import { thinkingEnabled } from "./check-thinking.ts";

/** Tools that Anthropic runs by itself: callers never see them called as their own. */
const SERVER_TOOLS = /^(web_search|web_fetch|code_execution|tool_search_tool\w*)_\d+$/;

/**
 * Reads a checked Messages request.
 * @param inputTokens tokens of the whole prompt, cached or not
 */
export function readMessages(
  body: JsonObject,
  messages: readonly JsonObject[],
  inputTokens: number,
): Conversation {
  const speaking = messages.findLast(
    (message) => message.role === "user" && textOfBlocks(message.content) !== "",
  );
  return {
    model: stringOf(body.model) ?? "",
    directives: readDirectives(textOfBlocks(speaking?.content)),
    instructions: textOfBlocks(body.system),
    toolResults: trailingToolResults(messages),
    tools: objectsIn(body.tools)
      .filter(({ type }) => !SERVER_TOOLS.test(stringOf(type) ?? ""))
      .map((tool) => ({ name: stringOf(tool.name) ?? "", schema: tool.input_schema })),
    toolChoice: toolChoiceOf(objectOf(body.tool_choice)),
    parallelTools: objectOf(body.tool_choice).disable_parallel_tool_use !== true,
    searches: objectsIn(body.tools).some(({ type }) => /^web_search_\d+$/.test(stringOf(type) ?? "")),
    inputTokens,
    maxTokens: numberOf(body.max_tokens),
    stop: stringsIn(body.stop_sequences),
    shape: shapeOf(body),
    thinking: thinkingEnabled(body),
    reasoningTokens: 0,
  };
}

function trailingToolResults(messages: readonly JsonObject[]): string[] {
  return blocksOf(messages.at(-1)?.content)
    .filter((block) => block.type === "tool_result")
    .map((block) => textOfBlocks(block.content));
}

function toolChoiceOf(choice: JsonObject): ToolChoice {
  if (choice.type === "none") return "none";
  if (choice.type === "any") return "required";
  const name = stringOf(choice.name);
  return choice.type === "tool" && name !== undefined ? { name } : "auto";
}

function shapeOf(body: JsonObject): TextShape | undefined {
  const format = objectOf(objectOf(body.output_config).format ?? body.output_format);
  return format.type === "json_schema" && format.schema !== undefined
    ? { kind: "schema", schema: format.schema }
    : undefined;
}
