import { GatewayError } from "../../contract/errors.ts";

/**
 * Whatever a handler threw as an error that may be shown. What the gateway did not foresee becomes a plain 500: its
 * message may hold an address, a path or a secret, so only the log gets it, as the cause.
 */
export function toGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  return new GatewayError(500, "api_error", "Internal server error", { cause: thrown });
}
