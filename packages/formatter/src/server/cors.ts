import type { IncomingMessage, ServerResponse } from "node:http";
import { requestHeaders, versionHeader } from "./protocol.ts";

/**
 * Cross-origin rules (blackd: `middlewares.py` cors): requests without `Origin` pass, origins that were not allowed
 * at the start are refused, preflights are answered here.
 *
 * @returns whether the request has been answered.
 */
export function applyCors(
  request: IncomingMessage,
  response: ServerResponse,
  allowed: ReadonlySet<string>,
): boolean {
  const origin = request.headers.origin;
  if (origin === undefined || origin === "") return false;
  if (!allowed.has(origin)) {
    response
      .writeHead(403, { "content-type": "text/plain; charset=utf-8" })
      .end("CORS origin is not allowed");
    return true;
  }
  response.setHeader("Access-Control-Allow-Origin", origin);
  response.setHeader("Access-Control-Expose-Headers", versionHeader);
  if (request.method !== "OPTIONS") return false;
  response.setHeader("Access-Control-Allow-Headers", [...requestHeaders, "Content-Type"].join(", "));
  response.setHeader("Access-Control-Allow-Methods", "OPTIONS, POST");
  if (request.headers["access-control-request-method"] === undefined) return false;
  response.writeHead(200).end();
  return true;
}
