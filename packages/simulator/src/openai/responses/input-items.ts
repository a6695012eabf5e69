import { isObject, type JsonObject, type JsonValue, stringOf } from "../../util/json.ts";
import { invalidRequest, missingParameter, wrongType } from "../failures.ts";

const idPrefixes: Readonly<Record<string, string>> = {
  message: "msg_",
  function_call: "fc_",
  function_call_output: "fco_",
  reasoning: "rs_",
  custom_tool_call: "ctc_",
  custom_tool_call_output: "ctco_",
};

/**
 * A request's `input` as items with ids and explicit types; a string is one user message.
 * @param nextId makes an id of a prefix
 */
export function inputItems(input: JsonValue | undefined, nextId: (prefix: string) => string): JsonObject[] {
  if (input === undefined || input === null) throw missingParameter("input");
  if (typeof input === "string") {
    return [normalized({ role: "user", content: input }, 0, nextId)];
  }
  if (!Array.isArray(input)) throw wrongType("input", "a string or an array of input items");
  return input.map((item, index) => {
    if (!isObject(item)) throw wrongType(`input[${index}]`, "an object");
    return normalized(item, index, nextId);
  });
}

function normalized(item: JsonObject, index: number, nextId: (prefix: string) => string): JsonObject {
  const type = stringOf(item.type) ?? (item.role === undefined ? undefined : "message");
  if (type === undefined) throw missingParameter(`input[${index}].type`);
  const id = stringOf(item.id) ?? nextId(idPrefixes[type] ?? "item_");
  if (type !== "message")
    return { ...(type.includes("_call") ? { status: "completed" } : {}), ...item, type, id };
  const role = stringOf(item.role) ?? "";
  if (!["user", "assistant", "system", "developer"].includes(role)) {
    const message = `Invalid value: '${role}'. Supported values are: 'assistant', 'system', 'developer', and 'user'.`;
    throw invalidRequest(message, `input[${index}].role`, "invalid_value");
  }
  return { id, type, status: "completed", role, content: contentParts(item.content, role, index) };
}

function contentParts(content: JsonValue | undefined, role: string, index: number): JsonValue[] {
  if (typeof content === "string") {
    return role === "assistant"
      ? [{ type: "output_text", text: content, annotations: [], logprobs: [] }]
      : [{ type: "input_text", text: content }];
  }
  if (Array.isArray(content)) return content;
  throw wrongType(`input[${index}].content`, "a string or an array of content parts");
}
