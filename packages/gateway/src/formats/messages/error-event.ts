import type { GatewayError } from "../../contract/errors.ts";
import { namedEvent } from "../stream/sse-event.ts";

/** The `error` event that ends a Messages stream. */
export function messagesErrorEvent(error: GatewayError): string {
  return namedEvent("error", { type: "error", error: { type: error.type, message: error.message } });
}
