import { isAscii } from "node:buffer";
import { type Codec, CodecError } from "./codec.ts";
import { singleByteTables } from "./generated/single-byte-tables.ts";

/** Stands in the tables for a byte without a character. */
const HOLE = "\ufffd";

/** ISO 8859-1: each byte is the character of the same number (Python `iso8859-1`). */
export const latin1: Codec = {
  name: "latin-1",
  decode(bytes) {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  },
  encode(text) {
    rejectAbove(text, 0xff, "latin-1", "ordinal not in range(256)");
    return Buffer.from(text, "latin1");
  },
};

/** ASCII (Python `ascii`). */
export const ascii: Codec = {
  name: "ascii",
  decode(bytes) {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (isAscii(buffer)) return buffer.toString("latin1");
    const at = buffer.findIndex((byte) => byte > 127);
    throw new CodecError(
      `'ascii' codec can't decode byte 0x${buffer[at]!.toString(16)} in position ${at}: ordinal not in range(128)`,
    );
  },
  encode(text) {
    rejectAbove(text, 0x7f, "ascii", "ordinal not in range(128)");
    return Buffer.from(text, "latin1");
  },
};

const made = new Map<string, Codec>();

/** The codec of 256 characters that Python knows by this name; `undefined` when there is none. */
export function singleByteCodec(name: string): Codec | undefined {
  const known = made.get(name);
  if (known !== undefined) return known;
  const tables = singleByteTables();
  const canonical = Object.hasOwn(tables, name)
    ? name
    : Object.keys(tables).find((each) => name !== "" && tables[each]![1].split(" ").includes(name));
  if (canonical === undefined) return undefined;
  const codec = fromTable(canonical, tables[canonical]![0]);
  made.set(name, codec);
  return codec;
}

function fromTable(name: string, upperHalf: string): Codec {
  const table = Array.from({ length: 256 }, (_, byte) => {
    const character = byte < 128 ? String.fromCharCode(byte) : upperHalf[byte - 128]!;
    return character === HOLE ? undefined : character;
  });
  const bytesOf = new Map<string | undefined, number>(table.map((character, byte) => [character, byte]));
  return {
    name,
    decode(bytes) {
      let text = "";
      bytes.forEach((byte, at) => {
        const character = table[byte];
        if (character === undefined)
          throw new CodecError(
            `'charmap' codec can't decode byte 0x${byte.toString(16)} in position ${at}: character maps to <undefined>`,
          );
        text += character;
      });
      return text;
    },
    encode(text) {
      const bytes = new Uint8Array(text.length);
      for (let i = 0; i < text.length; i++) {
        const byte = bytesOf.get(text.charAt(i));
        if (byte === undefined) throw cannotEncode(text, i, "charmap", "character maps to <undefined>");
        bytes[i] = byte;
      }
      return bytes;
    },
  };
}

function rejectAbove(text: string, limit: number, name: string, reason: string): void {
  for (let i = 0; i < text.length; i++)
    if (text.charCodeAt(i) > limit) throw cannotEncode(text, i, name, reason);
}

/** Python's sentence about a character that an encoding lacks. */
export function cannotEncode(text: string, at: number, name: string, reason: string): CodecError {
  const code = text.codePointAt(at)!;
  const hex = code.toString(16);
  const escaped =
    code < 0x100
      ? `\\x${hex.padStart(2, "0")}`
      : code < 0x10000
        ? `\\u${hex.padStart(4, "0")}`
        : `\\U${hex.padStart(8, "0")}`;
  return new CodecError(`'${name}' codec can't encode character '${escaped}' in position ${at}: ${reason}`);
}
