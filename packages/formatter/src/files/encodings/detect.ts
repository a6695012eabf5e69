import { isUtf8 } from "node:buffer";
import { type Codec, CodecError } from "./codec.ts";
import { lookupCodec } from "./lookup.ts";
import { noTextReason } from "./no-text.ts";
import { startsWithBom, utf8, utf8WithSignature } from "./utf8.ts";

const LF = 10;

/**
 * The encoding in which a Python source is written: byte order mark, declaration on one of the first two lines
 * (PEP 263), else UTF-8 (Python: `tokenize.detect_encoding`).
 *
 * @throws {CodecError} for an unknown or contradictory declaration, or when the first lines are not valid UTF-8.
 */
export function detectEncoding(bytes: Uint8Array): Codec {
  const hasBom = startsWithBom(bytes);
  const start = hasBom ? 3 : 0;
  const byDefault = hasBom ? utf8WithSignature : utf8;
  const endOfFirst = lineEnd(bytes, start);
  const first = bytes.subarray(start, endOfFirst);
  if (first.length === 0) return byDefault;
  const declared = findDeclaration(first, hasBom);
  if (declared !== undefined) return declared;
  if (!isBlankOrComment(first)) return byDefault;
  const second = bytes.subarray(endOfFirst, lineEnd(bytes, endOfFirst));
  return (second.length === 0 ? undefined : findDeclaration(second, hasBom)) ?? byDefault;
}

function lineEnd(bytes: Uint8Array, from: number): number {
  const at = bytes.indexOf(LF, from);
  return at === -1 ? bytes.length : at + 1;
}

/** Python's `blank_re`: white space, then nothing but a comment or the line's end. */
function isBlankOrComment(line: Uint8Array): boolean {
  for (const byte of line) {
    if (byte === 0x20 || byte === 9 || byte === 12) continue;
    return byte === 0x23 || byte === 13 || byte === LF;
  }
  return true;
}

function findDeclaration(line: Uint8Array, hasBom: boolean): Codec | undefined {
  if (!isUtf8(line)) throw new CodecError("invalid or missing encoding declaration");
  if (!line.includes(0x23)) return undefined;
  const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString("utf8");
  const match = /^[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)/.exec(text);
  if (match === null) return undefined;
  const name = normalName(match[1]!);
  const codec = lookupCodec(name);
  const noText = noTextReason(name);
  if (codec === undefined && noText === undefined) throw new CodecError(`unknown encoding: ${name}`);
  if (hasBom && name !== "utf-8") throw new CodecError("encoding problem: utf-8");
  if (codec === undefined) throw new CodecError(noText);
  return hasBom ? utf8WithSignature : codec;
}

/** How the interpreter folds the common spellings (Python: `tokenize._get_normal_name`). */
function normalName(name: string): string {
  const folded = name.slice(0, 12).toLowerCase().replaceAll("_", "-");
  if (folded === "utf-8" || folded.startsWith("utf-8-")) return "utf-8";
  if (/^(latin-1|iso-8859-1|iso-latin-1)(-|$)/.test(folded)) return "iso-8859-1";
  return name;
}
