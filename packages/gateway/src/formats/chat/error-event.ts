import type { GatewayError } from "../../contract/errors.ts";
import { dataEvent } from "../stream/sse-event.ts";

/** The event that ends a broken chat completion stream; no `[DONE]` follows it. */
export function chatErrorEvent(error: GatewayError): string {
  const { message, type, param, status } = error;
  return dataEvent({ error: { message, type, param: param ?? null, code: String(status) } });
}
