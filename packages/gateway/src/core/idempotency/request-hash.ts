import { createHash } from "node:crypto";
import type { Exchange } from "../../contract/exchange.ts";

/** Clients choose a new boundary for each try of the same form. */
const BOUNDARY = /\bboundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/i;
/** Delimiters of a form that are left out of its hash; forms of so many parts are refused anyway. */
const MAX_DELIMITERS = 1000;

/**
 * What makes two requests the same: the operation, its path parameters, the query and the header that steer it, and the
 * body but for a form's boundary.
 */
export function requestHash({ call, params, headers, query }: Exchange, body: Buffer): string {
  const hash = createHash("sha256").update(JSON.stringify([call.callType, params]));
  const steering = steeringOf(query, headers["custom-llm-provider"]);
  if (steering.length > 0) hash.update(JSON.stringify(steering));
  const type = headers["content-type"] ?? "";
  const match = type.startsWith("multipart/") ? BOUNDARY.exec(type) : null;
  const boundary = match?.[1] ?? match?.[2];
  const parts = boundary === undefined ? [body] : partsOf(body, boundary);
  // The length keeps the parts apart.
  for (const part of parts) hash.update(`\n${part.length}\n`).update(part);
  return hash.digest("hex");
}

/** What says beside the body which answer is wanted; Google's key in the address says who asks. */
function steeringOf(query: URLSearchParams, provider: unknown): unknown[] {
  const asked: unknown[] = [...query].filter(([name]) => name !== "key").sort();
  return provider === undefined ? asked : [...asked, provider];
}

/** What stands between a form's delimiters, which begin a line (RFC 2046, section 5.1.1). */
function partsOf(body: Buffer, boundary: string): Buffer[] {
  const first = Buffer.from(`--${boundary}`, "latin1");
  const further = Buffer.from(`\r\n--${boundary}`, "latin1");
  const parts: Buffer[] = [];
  let from = body.subarray(0, first.length).equals(first) ? first.length : 0;
  while (parts.length < MAX_DELIMITERS) {
    const end = body.indexOf(further, from);
    if (end === -1) break;
    parts.push(body.subarray(from, end));
    from = end + further.length;
  }
  parts.push(body.subarray(from));
  return parts;
}
