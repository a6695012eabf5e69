import type { JsonObject } from "../../contract/json.ts";
import { gatewayFieldsOf } from "./gateway-fields.ts";
import { refuseUnheeded } from "./refused-fields.ts";

/**
 * A request's body as a provider may see it: without the fields that are the gateway's own.
 * @throws GatewayError 400 for a field that would go unheeded
 */
export function withoutGatewayFields(body: JsonObject): JsonObject {
  refuseUnheeded(body);
  const own = new Set(gatewayFieldsOf(body));
  return own.size === 0 ? body : Object.fromEntries(Object.entries(body).filter(([name]) => !own.has(name)));
}
