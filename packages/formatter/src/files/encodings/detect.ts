import { isUtf8 } from "node:buffer";
import {
  declaration,
  declaredEncoding,
  hasDeclarationAtTop,
  normalName,
} from "../../format/encoding-declaration.ts";
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
  const match = declaration.exec(text);
  if (match === null) return undefined;
  const name = normalName(match[1]!);
  const codec = lookupCodec(name);
  const noText = noTextReason(name);
  if (codec === undefined && noText === undefined) throw new CodecError(`unknown encoding: ${name}`);
  if (hasBom && name !== "utf-8") throw new CodecError("encoding problem: utf-8");
  if (codec === undefined) throw new CodecError(noText);
  return hasBom ? utf8WithSignature : codec;
}

/**
 * Refuses a text that declares an encoding nobody knows. Black looks for one in every text that it formats, decoded though it
 * is (`_format_str_once`): a cell, a request, a file in which a carriage return alone ends the first line.
 *
 * @throws {CodecError}
 */
export function checkDeclaration(text: string): void {
  if (!hasDeclarationAtTop(text)) return;
  const name = declaredEncoding(text);
  if (lookupCodec(name) === undefined && noTextReason(name) === undefined)
    throw new CodecError(`unknown encoding: ${name}`);
}
