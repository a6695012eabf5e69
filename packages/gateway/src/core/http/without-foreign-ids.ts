import { type CallRecord, withShownIds } from "../../contract/call-record.ts";
import { GatewayError } from "../../contract/errors.ts";

/** An error whose message names objects by the ids that the caller knows, never by the providers'. */
export function withoutForeignIds(error: GatewayError, call: CallRecord | undefined): GatewayError {
  if (call?.shownIds === undefined) return error;
  const message = withShownIds(call, error.message);
  if (message === error.message) return error;
  const { status, type, param, detail, retryAfter, headers, retryable, providerCode } = error;
  return new GatewayError(status, type, message, {
    headers,
    retryable,
    cause: error,
    ...(param === undefined ? {} : { param }),
    ...(detail === undefined ? {} : { detail }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(providerCode === undefined ? {} : { providerCode }),
  });
}
