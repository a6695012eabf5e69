import { invalidRequest } from "../../contract/errors.ts";
import { filledText, isJsonObject, type JsonObject } from "../../contract/json.ts";
import { randomText } from "../../util/random-text.ts";

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
  requireItems(input);
  if (typeof input === "string") return [normalized({ role: "user", content: input })];
  return (input ?? []).map(normalized);
}

/** @throws GatewayError 400 for an input that is neither text nor a list of objects */
export function requireItems(input: unknown): asserts input is string | JsonObject[] | null | undefined {
  if (input === undefined || input === null || typeof input === "string") return;
  if (!Array.isArray(input)) throw invalidRequest("input must be text or a list of items", "input");
  const wrong = input.findIndex((item) => !isJsonObject(item));
  if (wrong !== -1) throw invalidRequest(`input.${wrong}: expected an object`, `input.${wrong}`);
}

function normalized(item: JsonObject): JsonObject {
  const type = typeof item.type === "string" ? item.type : "message";
  const id = filledText(item.id) ?? (prefixes.get(type) ?? "item_") + randomText(24, "hex");
  if (type === "message") return { status: "completed", ...item, id, type, content: content(item) };
  return { ...(/_call(_output)?$/.test(type) ? { status: "completed" } : {}), ...item, id, type };
}

function content({ content: given, role }: JsonObject): unknown {
  if (typeof given !== "string") return given;
  return role === "assistant"
    ? [{ type: "output_text", text: given, annotations: [], logprobs: [] }]
    : [{ type: "input_text", text: given }];
}
