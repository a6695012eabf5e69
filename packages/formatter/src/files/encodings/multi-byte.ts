import { isAscii } from "node:buffer";
import { type Codec, CodecError } from "./codec.ts";
import { cannotEncode } from "./single-byte.ts";

const made = new Map<string, Codec>();

/** An East Asian codec: the platform decodes, and its two-byte table read backwards encodes. */
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
      table ??= invert(decoder);
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
      if (value === undefined) throw cannotEncode(text, at, name, "illegal multibyte sequence");
      if (value > 0xff) bytes.push(value >> 8);
      bytes.push(value & 0xff);
    }
    at += character.length;
  }
  return Uint8Array.from(bytes);
}

/** Character to its one or two bytes as a number; the first of several equivalent sequences wins. */
function invert(decoder: TextDecoder): Map<string, number> {
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
    note(Uint8Array.of(lead), lead);
    for (let trail = 0x40; trail < 0x100; trail++) note(Uint8Array.of(lead, trail), (lead << 8) | trail);
  }
  return table;
}
