import type { OutgoingHttpHeaders } from "node:http";
import { ApiFailure } from "./api-failure.ts";
import type { Exchange } from "./exchange.ts";
import type { Pieces, Reply } from "./reply.ts";

/** Bytes that can be sent in part. */
export interface RangedBody {
  readonly contentType: string;
  readonly size: number;
  /** A strong entity tag without quotes. */
  readonly etag: string;
  readonly headers?: OutgoingHttpHeaders;
  /** The bytes from `start` to `end`, both included. */
  read(start: number, end: number): Pieces;
}

/** Answers with a body or the part that the `Range` header asks for (RFC 9110, one range). */
export function rangedReply(exchange: Exchange, body: RangedBody): Reply {
  const { headers } = exchange.request;
  const tag = `"${body.etag}"`;
  const common: OutgoingHttpHeaders = { ...body.headers, etag: tag, "accept-ranges": "bytes" };
  if (headers["if-none-match"] === tag) {
    return { kind: "pieces", status: 304, contentType: body.contentType, pieces: [], headers: common };
  }
  const wanted = headers["if-range"] === undefined || headers["if-range"] === tag ? headers.range : undefined;
  const range = wanted === undefined ? undefined : rangeOf(wanted, body.size);
  const start = range?.start ?? 0;
  const end = range?.end ?? body.size - 1;
  if (range !== undefined) common["content-range"] = `bytes ${start}-${end}/${body.size}`;
  return {
    kind: "pieces",
    status: range === undefined ? 200 : 206,
    contentType: body.contentType,
    length: end - start + 1,
    pieces: body.size === 0 ? [] : body.read(start, end),
    headers: common,
  };
}

function rangeOf(header: string, size: number): { start: number; end: number } | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header.trim());
  if (match === null || (match[1] === "" && match[2] === "")) return undefined;
  const start = match[1] === "" ? Math.max(0, size - Number(match[2])) : Number(match[1]);
  const end = match[1] === "" || match[2] === "" ? size - 1 : Math.min(Number(match[2]), size - 1);
  if (start > end || start >= size)
    throw new ApiFailure(416, `The range is outside the ${size} bytes of this file.`);
  return { start, end };
}
