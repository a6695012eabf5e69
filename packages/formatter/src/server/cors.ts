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
  const { origin } = request.headers;
  if (origin === undefined || origin === "") return false;
  if (!allowed.has(origin)) {
    response
      .writeHead(403, { "content-type": "text/plain; charset=utf-8" })
      .end("CORS origin is not allowed");
    return true;
  }
  if (request.method !== "OPTIONS" || request.headers["access-control-request-method"] === undefined)
    return false;
  response
    .writeHead(200, {
      ...corsHeaders(request),
      "Access-Control-Allow-Headers": [...requestHeaders, "Content-Type"].join(", "),
      "Access-Control-Allow-Methods": "OPTIONS, POST",
    })
    .end();
  return true;
}

/** What lets a page of an allowed origin read an answer; blackd leaves it out where it refuses a path, a method or a size. */
export function corsHeaders({ headers: { origin } }: IncomingMessage): Record<string, string> {
  if (origin === undefined || origin === "") return {};
  return { "Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": versionHeader };
}
