import type { GatewayError } from "../../contract/errors.ts";
import { namedEvent } from "../stream/sse-event.ts";
import { errorCode } from "./response-object.ts";

/** The `error` event that ends a broken Responses stream. */
export function responsesErrorEvent(error: GatewayError, sequenceNumber = 0): string {
  return namedEvent("error", {
    type: "error",
    sequence_number: sequenceNumber,
    code: errorCode(error),
    message: error.message,
    param: error.param ?? null,
  });
}
