import { invalidRequest } from "../../contract/errors.ts";
import type { Exchange } from "../../contract/exchange.ts";

const MAX_KEY = 255;

/**
 * The caller's key of a request (IETF draft "The Idempotency-Key HTTP Header Field").
 * @throws GatewayError 400 for a key that is empty, too long or not plain text
 */
export function readIdempotencyKey({ headers }: Exchange): string | undefined {
  const value = headers["idempotency-key"];
  if (value === undefined) return undefined;
  if (typeof value !== "string" || value === "" || value.length > MAX_KEY || /[^\x20-\x7e]/.test(value))
    throw invalidRequest(
      `Idempotency-Key must be plain text of 1 to ${MAX_KEY} characters`,
      "Idempotency-Key",
    );
  return value;
}
