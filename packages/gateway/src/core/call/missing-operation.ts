import { GatewayError } from "../../contract/errors.ts";

const statuses: ReadonlySet<number> = new Set([404, 405, 501]);
const codes: ReadonlySet<string | undefined> = new Set(["model_not_found", "previous_response_not_found"]);
/** How hosts say that they have no such path, as against no such model or object. */
const words =
  /invalid url|^not found\.?$|method not allowed|not implemented|(unknown|no|no such|unsupported) (url|path|route|endpoint|resource)|page not found|answered with status/i;

/** Whether a host says that it does not have the operation at all. */
export function isMissingOperation(error: unknown): boolean {
  if (!(error instanceof GatewayError) || !statuses.has(error.status)) return false;
  return !codes.has(error.providerCode) && words.test(error.message);
}
