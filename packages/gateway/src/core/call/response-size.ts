import { GatewayError } from "../../contract/errors.ts";
import type { GeneralSettings } from "../../platform/config/gateway-config.ts";
import type { WholeAnswer } from "./answer.ts";

const MB = 1024 * 1024;

/**
 * Holds an answer to `max_response_size_mb`, as LiteLLM does: those that are not streamed, before anybody sees them.
 * @throws GatewayError 400; what the answer cost is paid
 */
export function requireSize({ body }: WholeAnswer, { maxResponseSizeMb: limit }: GeneralSettings): void {
  if (limit === undefined) return;
  const bytes = Buffer.isBuffer(body) ? body.length : Buffer.byteLength(JSON.stringify(body));
  if (bytes <= limit * MB) return;
  const text = `The answer has ${(bytes / MB).toFixed(3)} MB, and max_response_size_mb allows ${limit}; ask for a shorter one, or stream it.`;
  throw new GatewayError(400, "invalid_request_error", text, { retryable: false });
}
