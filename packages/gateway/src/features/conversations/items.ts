import { randomBytes } from "node:crypto";
import { invalidRequest } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";

const prefixes: ReadonlyMap<string, string> = new Map([
  ["message", "msg_"],
  ["reasoning", "rs_"],
  ["function_call", "fc_"],
  ["function_call_output", "fco_"],
  ["custom_tool_call", "ctc_"],
  ["custom_tool_call_output", "ctco_"],
]);

/**
 * A request's `input` as the items that `input_items` lists: with types, ids and content parts.
 * @throws GatewayError 400 for items that are no objects
 */
export function inputItems(input: unknown): JsonObject[] {
  if (input === undefined || input === null) return [];
  if (typeof input === "string") return [normalized({ role: "user", content: input })];
  if (!Array.isArray(input)) throw invalidRequest("input must be text or a list of items", "input");
  return input.map((item, index) => {
    if (!isJsonObject(item)) throw invalidRequest(`input.${index}: expected an object`, `input.${index}`);
    return normalized(item);
  });
}

function normalized(item: JsonObject): JsonObject {
  const type = typeof item.type === "string" ? item.type : "message";
  const given = typeof item.id === "string" && item.id !== "" ? item.id : undefined;
  const id = given ?? (prefixes.get(type) ?? "item_") + randomBytes(24).toString("hex");
  if (type === "message") return { status: "completed", ...item, id, type, content: content(item) };
  return { ...(/_call(_output)?$/.test(type) ? { status: "completed" } : {}), ...item, id, type };
}

function content({ content: given, role }: JsonObject): unknown {
  if (typeof given !== "string") return given;
  return role === "assistant"
    ? [{ type: "output_text", text: given, annotations: [], logprobs: [] }]
    : [{ type: "input_text", text: given }];
}
