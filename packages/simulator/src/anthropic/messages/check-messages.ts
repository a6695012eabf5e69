import { isObject, type JsonObject, numberOf, objectOf, stringOf } from "../../util/json.ts";
import { fieldRequired, invalidRequest, notFound, threadUnsupported } from "../failures.ts";
import { blocksOf } from "./block-text.ts";
import { checkThinking } from "./check-thinking.ts";
import { checkToolPairs } from "./check-tool-pairs.ts";

const MAX_NAME = 128;

/**
 * The messages of a request, checked as Anthropic checks them. Throws `ApiFailure`.
 * @param counting a token count needs no `max_tokens`
 */
export function checkedMessages(body: JsonObject, counting: boolean): JsonObject[] {
  if (isObject(body.thread)) throw threadUnsupported();
  if (body.model === undefined) throw fieldRequired("model");
  const model = stringOf(body.model);
  if (model === undefined) throw invalidRequest("model: Input should be a valid string");
  if (model.startsWith("unknown")) throw notFound(`model: ${model}`);
  if (!counting) checkMaxTokens(body);
  if (body.messages === undefined) throw fieldRequired("messages");
  if (!Array.isArray(body.messages)) throw invalidRequest("messages: Input should be a valid list");
  if (body.messages.length === 0) throw invalidRequest("messages: at least one message is required");
  const messages = body.messages.map((message, index) => checkMessage(message, index));
  if (messages[0]?.role !== "user") {
    throw invalidRequest('messages: first message must use the "user" role');
  }
  checkTools(body);
  checkToolPairs(messages);
  checkThinking(body, messages);
  return messages;
}

function checkMaxTokens(body: JsonObject): void {
  if (body.max_tokens === undefined) throw fieldRequired("max_tokens");
  const most = numberOf(body.max_tokens);
  if (most === undefined || !Number.isInteger(most)) {
    throw invalidRequest("max_tokens: Input should be a valid integer");
  }
  if (most < 1) throw invalidRequest("max_tokens: Input should be greater than or equal to 1");
}

function checkMessage(message: unknown, index: number): JsonObject {
  const path = `messages.${index}`;
  if (!isObject(message)) throw invalidRequest(`${path}: Input should be a valid dictionary`);
  if (message.role === "system") {
    throw invalidRequest(
      'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
    );
  }
  if (message.role !== "user" && message.role !== "assistant") {
    throw invalidRequest(`${path}.role: Input should be 'user' or 'assistant'`);
  }
  if (message.content === undefined) throw fieldRequired(`${path}.content`);
  if (typeof message.content !== "string" && !Array.isArray(message.content)) {
    throw invalidRequest(`${path}.content: Input should be a valid list`);
  }
  for (const [position, block] of blocksOf(message.content).entries()) {
    if (block.type === undefined) throw fieldRequired(`${path}.content.${position}.type`);
    if (block.type === "text" && block.text === "") {
      throw invalidRequest("messages: text content blocks must be non-empty");
    }
  }
  return message;
}

function checkTools(body: JsonObject): void {
  if (body.tools === undefined) return;
  if (!Array.isArray(body.tools)) throw invalidRequest("tools: Input should be a valid list");
  const names = body.tools.map((tool) => objectOf(tool).name);
  for (const [index, tool] of body.tools.entries()) {
    const { name, type, input_schema } = objectOf(tool);
    if (name === undefined) throw fieldRequired(`tools.${index}.name`);
    const own = type === undefined || type === "custom";
    if (own) checkName(stringOf(name) ?? "", `tools.${index}.custom.name`);
    if (own && input_schema === undefined) throw fieldRequired(`tools.${index}.input_schema`);
    const schema = objectOf(input_schema);
    if (["oneOf", "allOf", "anyOf"].some((word) => schema[word] !== undefined))
      throw invalidRequest(
        `tools.${index}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`,
      );
  }
  if (new Set(names).size < names.length) throw invalidRequest("tools: Tool names must be unique.");
}

function checkName(name: string, path: string): void {
  if (name === "") throw invalidRequest(`${path}: String should have at least 1 character`);
  if (name.length > MAX_NAME)
    throw invalidRequest(`${path}: String should have at most ${MAX_NAME} characters`);
  if (!/^[a-zA-Z0-9_-]+$/.test(name))
    throw invalidRequest(`${path}: String should match pattern '^[a-zA-Z0-9_-]{1,${MAX_NAME}}$'`);
}
