import { crc32 } from "node:zlib";

/**
 * A record's length, the same with every bit turned, and the CRC-32 of its text, little-endian; then its text in UTF-8. A
 * damaged length so never looks like that of a record which a crash cut short.
 */
const HEAD_BYTES = 12;
const TURNED_AT = 4;
const CHECKSUM_AT = 8;

/** Bytes of the longest text; more is no record of ours. */
const MAX_TEXT_BYTES = 65_536;

/** Bytes of the longest record. */
export const MAX_RECORD_BYTES = HEAD_BYTES + MAX_TEXT_BYTES;

/**
 * Writes one record into the target, which from its start holds any record.
 * @param at where it begins
 * @returns where it ends; `undefined` when it does not fit behind what is there
 * @throws RangeError when the text is too long
 */
export function writeRecord(text: string, target: Buffer, at: number): number | undefined {
  const start = at + HEAD_BYTES;
  // No character takes more than three bytes.
  if (text.length * 3 > target.length - start) {
    const bytes = Buffer.byteLength(text);
    if (bytes > MAX_TEXT_BYTES) throw new RangeError(`A record of ${text.length} characters is too long`);
    if (bytes > target.length - start) return undefined;
  }
  const length = target.write(text, start);
  const end = start + length;
  target.writeUInt32LE(length, at);
  target.writeUInt32LE(~length >>> 0, at + TURNED_AT);
  target.writeUInt32LE(crc32(target.subarray(start, end)), at + CHECKSUM_AT);
  return end;
}

/** What stands at the beginning of some bytes. */
export interface ReadRecords {
  readonly texts: readonly string[];
  /** Bytes that the whole records take. */
  readonly used: number;
  /** What follows them is no record's beginning, however it would go on. */
  readonly isDamaged: boolean;
}

/** The whole records at the beginning of some bytes. */
export function readRecords(bytes: Buffer): ReadRecords {
  const texts: string[] = [];
  let at = 0;
  while (bytes.length - at >= HEAD_BYTES) {
    const length = bytes.readUInt32LE(at);
    const isLength = bytes.readUInt32LE(at + TURNED_AT) === ~length >>> 0;
    if (!isLength || length > MAX_TEXT_BYTES) return { texts, used: at, isDamaged: true };
    const start = at + HEAD_BYTES;
    if (bytes.length - start < length) break;
    const text = bytes.subarray(start, start + length);
    if (crc32(text) !== bytes.readUInt32LE(at + CHECKSUM_AT)) return { texts, used: at, isDamaged: true };
    texts.push(text.toString("utf8"));
    at = start + length;
  }
  return { texts, used: at, isDamaged: false };
}
