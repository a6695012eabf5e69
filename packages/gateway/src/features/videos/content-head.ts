import type { IncomingHttpHeaders } from "node:http";
import { GatewayError } from "../../contract/errors.ts";

/** The head of an answer with a video, or a part of it, and which bytes follow. */
interface ContentHead extends ByteRange {
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

/** The part of a body that a request asks for. */
interface ByteRange {
  readonly from: number;
  readonly length: number;
}

/**
 * Reads `range` (RFC 9110, section 14.2): one range of bytes; several, or what cannot be read, count as none, and a
 * range of another version (`if-range`) too. `unsatisfiable` begins behind the end.
 */
function byteRange(
  { range, "if-range": version }: IncomingHttpHeaders,
  size: number,
  etag: string,
): ByteRange | "unsatisfiable" | undefined {
  if (range === undefined || (version !== undefined && version !== etag)) return undefined;
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return undefined;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { from: size - length, length };
  }
  const from = Number(first);
  const to = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (from >= size) return "unsatisfiable";
  return to < from ? undefined : { from, length: to - from + 1 };
}

/** Whether `if-none-match` names this version. */
function isKnownVersion({ "if-none-match": known }: IncomingHttpHeaders, etag: string): boolean {
  if (known === undefined) return false;
  return known === "*" || known.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
