import { isAscii } from "node:buffer";
import { type Codec, CodecError } from "./codec.ts";
import { cannotEncode } from "./single-byte.ts";

const made = new Map<string, Codec>();

/** An East Asian codec: the platform decodes, and its table read backwards encodes. */
export function multiByteCodec(name: string, label: string): Codec {
  const known = made.get(name);
  if (known !== undefined) return known;
  const decoder = new TextDecoder(label, { fatal: true });
  let table: Map<string, number> | undefined;
  const codec: Codec = {
    name,
    decode(bytes) {
      if (isAscii(bytes)) return Buffer.from(bytes).toString("latin1");
      try {
        return decoder.decode(bytes);
      } catch {
        throw new CodecError(`'${name}' codec can't decode the file: illegal multibyte sequence`);
      }
    },
    encode(text) {
      table ??= invert(decoder, name === "gb18030");
      return encodeWith(table, text, name);
    },
  };
  made.set(name, codec);
  return codec;
}

function encodeWith(table: ReadonlyMap<string, number>, text: string, name: string): Uint8Array {
  const bytes: number[] = [];
  let at = 0;
  for (const character of text) {
    const code = character.charCodeAt(0);
    if (code < 0x80) bytes.push(code);
    else {
      const value = table.get(character);
      if (value !== undefined) {
        if (value > 0xffff) bytes.push(value >>> 24, (value >>> 16) & 0xff);
        if (value > 0xff) bytes.push((value >>> 8) & 0xff);
        bytes.push(value & 0xff);
      } else if (name === "gb18030" && character.length === 2) bytes.push(...beyondBmp(character));
      else throw cannotEncode(text, at, name, "illegal multibyte sequence");
    }
    at += character.length;
  }
  return Uint8Array.from(bytes);
}

/** GB 18030 has these in the order of their code points from 90 30 81 30 on. */
function beyondBmp(character: string): number[] {
  const index = character.codePointAt(0)! - 0x10000;
  return [
    0x90 + Math.floor(index / 12600),
    0x30 + (Math.floor(index / 1260) % 10),
    0x81 + (Math.floor(index / 10) % 126),
    0x30 + (index % 10),
  ];
}

/**
 * Character to its one or two bytes as a number, or to the four that GB 18030 has for the rest of the BMP; the first
 * of several equivalent sequences wins.
 */
function invert(decoder: TextDecoder, hasFourBytes: boolean): Map<string, number> {
  const table = new Map<string, number>();
  const note = (bytes: Uint8Array, value: number): void => {
    let text: string;
    try {
      text = decoder.decode(bytes);
    } catch {
      return;
    }
    if ([...text].length === 1 && !table.has(text)) table.set(text, value);
  };
  for (let lead = 0x80; lead < 0x100; lead++) {
    if (!hasFourBytes) note(Uint8Array.of(lead), lead);
    for (let trail = 0x40; trail < 0x100; trail++) note(Uint8Array.of(lead, trail), (lead << 8) | trail);
  }
  if (!hasFourBytes) return table;
  for (let index = 0; index < 4 * 12600; index++) {
    const bytes = beyondBmp(String.fromCodePoint(0x10000 + index));
    bytes[0]! -= 0x90 - 0x81;
    note(Uint8Array.from(bytes), Buffer.from(bytes).readUInt32BE());
  }
  return table;
}
