import type { IncomingHttpHeaders } from "node:http";
import { GatewayError } from "../../contract/errors.ts";
import { type ByteRange, byteRange, isKnownVersion } from "./byte-range.ts";

/** The head of an answer with a video, or a part of it, and which bytes follow. */
export interface ContentHead extends ByteRange {
  readonly status: 200 | 206 | 304;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * How a video is answered that lies here whole (RFC 9110, sections 13 to 15).
 * @param size bytes of the video
 * @param wanted the caller's conditions and range
 * @throws GatewayError 416
 */
export function contentHead(size: number, etag: string, wanted: IncomingHttpHeaders): ContentHead {
  const common = { etag, "accept-ranges": "bytes" };
  if (isKnownVersion(wanted, etag)) return { status: 304, headers: common, from: 0, length: 0 };
  const range = byteRange(wanted, size, etag);
  if (range === "unsatisfiable")
    throw new GatewayError(416, "invalid_request_error", `The video has ${size} bytes`, {
      headers: { "content-range": `bytes */${size}` },
    });
  const { from, length } = range ?? { from: 0, length: size };
  const place = range && { "content-range": `bytes ${from}-${from + length - 1}/${size}` };
  return {
    status: range === undefined ? 200 : 206,
    headers: { ...common, ...place, "content-length": String(length) },
    from,
    length,
  };
}
