import { isAscii, isUtf8 } from "node:buffer";
import { type Codec, CodecError } from "./codec.ts";

/** UTF-8, strict (Python `utf-8`). */
export const utf8: Codec = {
  name: "utf-8",
  decode(bytes) {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (isAscii(buffer)) return buffer.toString("latin1");
    if (!isUtf8(buffer)) throw new CodecError(describeInvalidUtf8(buffer));
    return buffer.toString("utf8");
  },
  encode(text) {
    return Buffer.from(text, "utf8");
  },
};

/** UTF-8 with a byte order mark that is dropped on reading and written back (Python `utf-8-sig`). */
export const utf8WithSignature: Codec = {
  name: "utf-8-sig",
  decode(bytes) {
    return utf8.decode(startsWithBom(bytes) ? bytes.subarray(3) : bytes);
  },
  encode(text) {
    return Buffer.from(`\ufeff${text}`, "utf8");
  },
};

/** Whether the bytes begin with the UTF-8 byte order mark. */
export function startsWithBom(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Python's sentence about the first malformed sequence of bytes that are known to hold one. */
function describeInvalidUtf8(bytes: Uint8Array): string {
  let at = 0;
  while (at < bytes.length) {
    const step = sequenceAt(bytes, at);
    if (step.error !== undefined) {
      const last = at + step.length - 1;
      const where =
        step.length === 1
          ? `byte 0x${bytes[at]!.toString(16).padStart(2, "0")} in position ${at}`
          : `bytes in position ${at}-${last}`;
      return `'utf-8' codec can't decode ${where}: ${step.error}`;
    }
    at += step.length;
  }
  return "'utf-8' codec can't decode the file";
}

/** Length of the sequence at `at`; for a malformed one, its length as Python counts it and the reason. */
function sequenceAt(bytes: Uint8Array, at: number): { length: number; error?: string } {
  const lead = bytes[at]!;
  if (lead < 0x80) return { length: 1 };
  const needed =
    lead >= 0xc2 && lead <= 0xdf
      ? 1
      : lead >= 0xe0 && lead <= 0xef
        ? 2
        : lead >= 0xf0 && lead <= 0xf4
          ? 3
          : 0;
  if (needed === 0) return { length: 1, error: "invalid start byte" };
  for (let i = 1; i <= needed; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return { length: i, error: "unexpected end of data" };
    let low = 0x80;
    let high = 0xbf;
    if (i === 1) {
      if (lead === 0xe0) low = 0xa0;
      else if (lead === 0xed) high = 0x9f;
      else if (lead === 0xf0) low = 0x90;
      else if (lead === 0xf4) high = 0x8f;
    }
    if (byte < low || byte > high) return { length: i, error: "invalid continuation byte" };
  }
  return { length: needed + 1 };
}
