import { invalidRequest } from "../../contract/errors.ts";
import type { Exchange } from "../../contract/exchange.ts";

/** What stands behind a batch's id in a path. */
export type BatchSuffix = "" | "/cancel" | "/events";

/**
 * The batch id in a path; it may contain slashes, plain or percent-encoded.
 * @throws GatewayError 400 for an id that is none
 */
export function batchIdOf({ path }: Exchange, suffix: BatchSuffix): string {
  const begin = path.indexOf("/batches/") + "/batches/".length;
  const raw = path.slice(begin, path.length - suffix.length);
  let id: string;
  try {
    id = decodeURIComponent(raw);
  } catch {
    throw invalidRequest("The batch id is not validly percent-encoded", "batch_id");
  }
  if (id === "" || id.length > 4096) throw invalidRequest("The batch id is missing or too long", "batch_id");
  return id;
}
