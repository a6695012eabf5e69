import type { IncomingHttpHeaders } from "node:http";
import { orderedUuid } from "../../util/ordered-uuid.ts";

/** The caller's own id for the call when it sent a plain token (8 to 128 characters), else a new UUID. */
export function callIdOf(headers: IncomingHttpHeaders): string {
  const given = headers["x-portico-call-id"] ?? headers["x-litellm-call-id"];
  return typeof given === "string" && /^[\w.:-]{8,128}$/.test(given) ? given : orderedUuid();
}
