import { type CallRecord, withShownIds } from "../../contract/call-record.ts";
import type { GatewayError } from "../../contract/errors.ts";

/** An error whose message names objects by the ids that the caller knows, never by the providers'. */
export function withoutForeignIds(error: GatewayError, call: CallRecord | undefined): GatewayError {
  if (call?.shownIds === undefined) return error;
  const message = withShownIds(call, error.message);
  return message === error.message ? error : error.with({ message });
}
