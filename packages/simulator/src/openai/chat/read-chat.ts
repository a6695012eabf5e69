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
import { checkFunction, checkToolCount } from "../check-tools.ts";
import { mediaTokens, textOfContent } from "../content-parts.ts";
import { missingParameter, wrongType } from "../failures.ts";
import type { Flavour } from "../flavour.ts";
import { modelName } from "../model-name.ts";
import { reasoningTokensOf } from "../reasoning-effort.ts";
import { checkedChatMessages } from "./check-chat-messages.ts";

/**
 * Reads a chat completion request. Throws `ApiFailure` where OpenAI refuses it.
 * @param flavour compatible hosts take schemas of functions that OpenAI refuses
 */
export function readChat(body: JsonObject, flavour: Flavour): Conversation {
  const model = modelName(body);
  const messages = checkedChatMessages(body);
  const lastUser = messages.findLast((message) => message.role === "user");
  const limit = body.max_completion_tokens ?? body.max_tokens;
  if (limit !== undefined && limit !== null && numberOf(limit) === undefined)
    throw wrongType("max_tokens", "an integer");
  const reasoningTokens = reasoningTokensOf(body.reasoning_effort);
  const maxTokens = numberOf(limit);
  return {
    model,
    directives: readDirectives(textOfContent(lastUser?.content)),
    instructions: messages
      .filter(({ role }) => role === "system" || role === "developer")
      .map(({ content }) => textOfContent(content))
      .join("\n"),
    toolResults: trailingToolResults(messages),
    tools: offeredTools(body, flavour),
    toolChoice: toolChoiceOf(body),
    parallelTools: body.parallel_tool_calls !== false,
    searches: isObject(body.web_search_options),
    inputTokens: inputTokens(body, messages),
    maxTokens:
      maxTokens === undefined ? undefined : Math.max(0, maxTokens - Math.min(reasoningTokens, maxTokens / 2)),
    stop: stringsIn(body.stop),
    shape: shapeOf(objectOf(body.response_format)),
    thinking: false,
    reasoningTokens,
  };
}

function trailingToolResults(messages: readonly JsonObject[]): string[] {
  const results: string[] = [];
  for (let index = messages.length - 1; messages[index]?.role === "tool"; index--) {
    results.unshift(textOfContent(messages[index]?.content));
  }
  return results;
}

function offeredTools(body: JsonObject, flavour: Flavour): OfferedTool[] {
  if (body.tools !== undefined && body.tools !== null && !Array.isArray(body.tools))
    throw wrongType("tools", "an array");
  if (flavour !== "compat") checkToolCount(objectsIn(body.tools));
  return objectsIn(body.tools).map((tool, index) => {
    const kind = tool.type === "custom" ? "custom" : "function";
    const definition = objectOf(tool[kind]);
    const name = stringOf(definition.name);
    if (name === undefined) throw missingParameter(`tools[${index}].${kind}.name`);
    if (flavour !== "compat") checkFunction(name, definition.parameters, `tools[${index}].${kind}`);
    return { name, schema: definition.parameters };
  });
}

function toolChoiceOf(body: JsonObject): ToolChoice {
  const choice = body.tool_choice;
  if (choice === "none" || choice === "required") return choice;
  const name = stringOf(objectOf(objectOf(choice).function).name);
  return name === undefined ? "auto" : { name };
}

function shapeOf(format: JsonObject): TextShape | undefined {
  if (format.type === "json_object") return { kind: "json" };
  if (format.type !== "json_schema") return undefined;
  const schema = objectOf(format.json_schema).schema;
  if (schema === undefined) throw missingParameter("response_format.json_schema.schema");
  return { kind: "schema", schema };
}

function inputTokens(body: JsonObject, messages: readonly JsonObject[]): number {
  let total = body.tools === undefined ? 0 : countTokens(JSON.stringify(body.tools));
  for (const message of messages) {
    total += countTokens(textOfContent(message.content)) + mediaTokens(message.content);
    if (message.tool_calls !== undefined) total += countTokens(JSON.stringify(message.tool_calls));
  }
  return total;
}
