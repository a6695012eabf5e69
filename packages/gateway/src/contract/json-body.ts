import { invalidRequest } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import { checkJsonLimits, MAX_JSON_DEPTH, nestedTooDeep } from "./json-limits.ts";

/**
 * The exchange's body as a JSON object.
 * @throws GatewayError 400 for anything else, 413 and 408 as `Exchange.readBody`
 */
export async function parseJsonBody(exchange: Exchange): Promise<JsonObject> {
  return readJsonObject(await exchange.readBody());
}

/**
 * A JSON object out of bytes. Of duplicate members the last one counts, as everywhere in the field; `__proto__`
 * members are dropped, so that no later copy of the object can change a prototype.
 * @throws GatewayError 400 for invalid JSON, other values than objects, and nesting past the limit; 413 for more values
 *   than are parsed without holding up other callers
 */
export function readJsonObject(bytes: Buffer): JsonObject {
  checkJsonLimits(bytes);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    const reason = bytes.length === 0 ? "the body is empty" : (error as Error).message;
    throw invalidRequest(`Invalid JSON payload: ${reason}`, "request_body");
  }
  if (!isJsonObject(value)) throw invalidRequest("The request body must be a JSON object", "request_body");
  check(value, 1);
  return value;
}

function check(value: object, depth: number): void {
  if (depth > MAX_JSON_DEPTH) throw nestedTooDeep();
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === "object" && item !== null) check(item, depth + 1);
    return;
  }
  const members = value as JsonObject;
  for (const key in members) {
    if (key === "__proto__") delete members[key];
    else {
      const member = members[key];
      if (typeof member === "object" && member !== null) check(member, depth + 1);
    }
  }
}
