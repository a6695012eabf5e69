import { createHash } from "node:crypto";
import { GatewayError } from "../contract/errors.ts";
import { byteRange, isKnownVersion } from "./byte-range.ts";
import type { VideoBytes } from "./video-source.ts";

/**
 * Bytes at hand as a provider with ranges and versions would send them.
 * @param wanted the caller's conditions and range
 * @throws GatewayError 416
 */
export function bytesInParts(bytes: Buffer, wanted: Readonly<Record<string, string>>): VideoBytes {
  const etag = `"${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}"`;
  const common = { etag, "accept-ranges": "bytes" };
  if (isKnownVersion(wanted, etag)) return { status: 304, headers: common, body: once(Buffer.alloc(0)) };
  const range = byteRange(wanted, bytes.length, etag);
  if (range === "unsatisfiable")
    throw new GatewayError(416, "invalid_request_error", `The video has ${bytes.length} bytes`, {
      headers: { "content-range": `bytes */${bytes.length}` },
    });
  const { from, length } = range ?? { from: 0, length: bytes.length };
  const part = { "content-range": `bytes ${from}-${from + length - 1}/${bytes.length}` };
  return {
    status: range === undefined ? 200 : 206,
    headers: { ...common, ...(range === undefined ? {} : part), "content-length": String(length) },
    body: once(bytes.subarray(from, from + length)),
  };
}

function once(bytes: Buffer): VideoBytes["body"] {
  return {
    cancel: () => {},
    async *[Symbol.asyncIterator]() {
      if (bytes.length > 0) yield bytes;
    },
  };
}
