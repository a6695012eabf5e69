import type { IncomingHttpHeaders } from "node:http";

/** The part of a body that a request asks for. */
export interface ByteRange {
  readonly from: number;
  readonly length: number;
}

/**
 * Reads `range` (RFC 9110, section 14.2): one range of bytes; several, or what cannot be read, count as none, and a
 * range of another version (`if-range`) too. `unsatisfiable` begins behind the end.
 */
export function byteRange(
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
export function isKnownVersion({ "if-none-match": known }: IncomingHttpHeaders, etag: string): boolean {
  if (known === undefined) return false;
  return known === "*" || known.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
