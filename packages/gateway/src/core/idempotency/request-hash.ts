import type { Exchange } from "../../contract/exchange.ts";
import { sha256 } from "../../util/sha256.ts";

/** Clients choose a new boundary for each try of the same form. */
const boundaryOf = /\bboundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/i;

/** What makes two requests the same: the operation, its path parameters, and the body. */
export function requestHash({ call, params, headers }: Exchange, body: Buffer): string {
  const type = headers["content-type"] ?? "";
  const match = type.startsWith("multipart/") ? boundaryOf.exec(type) : null;
  const boundary = match?.[1] ?? match?.[2];
  const text = body.toString("latin1");
  const same = boundary === undefined ? text : text.replaceAll(boundary, "boundary");
  return sha256(JSON.stringify([call.callType, params, same]));
}
