import { isObject, type JsonObject, listOf, objectsIn, stringOf } from "../../util/json.ts";
import { invalidRequest, invalidValue, missingParameter, wrongType } from "../failures.ts";

const roles = ["system", "developer", "user", "assistant", "tool", "function"];

/**
 * The messages of a chat completion, checked as OpenAI checks them: known roles, tool messages that answer
 * the tool calls right before them, and every tool call answered.
 */
export function checkedChatMessages(body: JsonObject): JsonObject[] {
  if (body.messages === undefined) throw missingParameter("messages");
  if (!Array.isArray(body.messages)) throw wrongType("messages", "an array of objects");
  if (body.messages.length === 0) {
    const message = "Invalid 'messages': empty array. Expected an array with minimum length 1.";
    throw invalidRequest(message, "messages", "empty_array");
  }
  const messages = body.messages.map((message, index) => {
    if (!isObject(message)) throw wrongType(`messages[${index}]`, "an object");
    if (!roles.includes(stringOf(message.role) ?? "")) {
      throw invalidValue(
        `messages[${index}].role`,
        `Invalid value: '${String(message.role)}'. Supported values are: ${roles.join(", ")}.`,
      );
    }
    checkContent(message, index);
    return message;
  });
  checkToolMessages(messages);
  return messages;
}

function checkContent(message: JsonObject, index: number): void {
  const { content } = message;
  const name = `messages[${index}].content`;
  const optional = message.role === "assistant";
  if (content === undefined || content === null) {
    if (!optional) throw invalidRequest(`Invalid value for 'content': expected a string, got null.`, name);
    return;
  }
  if (typeof content === "string") return;
  if (!Array.isArray(content)) throw wrongType(name, "a string or an array of content parts");
  for (const part of listOf(content)) if (!isObject(part)) throw wrongType(name, "an array of objects");
}

function checkToolMessages(messages: readonly JsonObject[]): void {
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool") {
      if (!open.delete(stringOf(message.tool_call_id) ?? "")) {
        const text =
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
        throw invalidRequest(text, `messages.[${index}].role`);
      }
      continue;
    }
    checkAnswered(open, index);
    open = new Set(objectsIn(message.tool_calls).map((call) => stringOf(call.id) ?? ""));
  }
  checkAnswered(open, messages.length);
}

function checkAnswered(open: ReadonlySet<string>, index: number): void {
  if (open.size === 0) return;
  const text = `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(", ")}`;
  throw invalidRequest(text, `messages.[${index}].role`);
}
