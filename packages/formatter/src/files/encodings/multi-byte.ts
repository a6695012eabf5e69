import { isAscii } from "node:buffer";
import { type Codec, CodecError } from "./codec.ts";
import { additionsOfCp949 } from "./hangul.ts";
import { cannotEncode } from "./single-byte.ts";

const made = new Map<string, Codec>();

/** Characters of the platform's tables, and those that Python's have for the same bytes. */
const ofPython: Readonly<Record<string, readonly [string, string]>> = {
  big5: ["‧﹑¯～⊕⊙∕﹨￥￠￡", "•､‾∼♁☉／＼¥¢£"],
  euc_jp: ["～∥－￠￡￢", "〜‖−¢£¬"],
  gb2312: ["·—", "・―"],
  shift_jis: ["～∥－￠￡￢", "〜‖−¢£¬"],
};

/**
 * Where ICU knows a lead byte only, it makes a control character of it, and some of these end lines in Python. Of three ASCII
 * ones it takes each for another in Shift JIS.
 */
const CONTROLS = "\\x1a\\x1c\\x7f-\\u009f";

/** They stand for bytes that mean something else to Python. */
const PRIVATE_USE = "\\ue000-\\uf8ff";

/** Here they stand for the same bytes in Python. */
const WITH_PRIVATE_USE = ["cp932", "gb18030"];

/** A decoder that knows no more than Python's does where that would change what the text means. */
class PlatformDecoder {
  readonly #decoder: TextDecoder;
  readonly #replaced: ReadonlyMap<string, string>;
  readonly #replacedOnes: RegExp;
  readonly #misread: RegExp;
  /** Characters that the platform does not know, by their two bytes as a number. */
  readonly #additions: ReadonlyMap<number, string>;

  constructor(name: string, label: string) {
    this.#decoder = new TextDecoder(label, { fatal: true });
    const [ours, theirs] = (ofPython[name] ?? ["", ""]).map((characters) => [...characters]);
    this.#replaced = new Map(ours!.map((character, at) => [character, theirs![at]!]));
    this.#replacedOnes = new RegExp(ours!.length === 0 ? "[]" : `[${ours!.join("")}]`, "gu");
    const privateUse = WITH_PRIVATE_USE.includes(name) ? "" : PRIVATE_USE;
    this.#misread = new RegExp(`[${CONTROLS}${privateUse}]`);
    this.#additions = new Map();
    if (name === "cp949") {
      const known = invert(this, false);
      this.#additions = additionsOfCp949((syllable) => known.has(syllable));
    }
  }

  /** `undefined` for what is not valid, or not the same to Python. */
  decode(bytes: Uint8Array): string | undefined {
    if (this.#additions.size === 0) return this.#decodePart(bytes);
    let text = "";
    let start = 0;
    for (let at = 0; at < bytes.length; at++) {
      const lead = bytes[at]!;
      if (lead < 0x80) continue;
      const added = this.#additions.get((lead << 8) | (bytes[at + 1] ?? 0));
      if (added !== undefined) {
        const part = this.#decodePart(bytes.subarray(start, at));
        if (part === undefined) return undefined;
        text += part + added;
        start = at + 2;
      }
      at++;
    }
    const rest = this.#decodePart(bytes.subarray(start));
    return rest === undefined ? undefined : text + rest;
  }

  #decodePart(bytes: Uint8Array): string | undefined {
    let text: string;
    try {
      text = this.#decoder.decode(bytes);
    } catch {
      return undefined;
    }
    if (this.#misread.test(text)) return undefined;
    return text.replace(this.#replacedOnes, (character) => this.#replaced.get(character)!);
  }
}

/** An East Asian codec: the platform decodes, and its table read backwards encodes. */
export function multiByteCodec(name: string, label: string): Codec {
  const known = made.get(name);
  if (known !== undefined) return known;
  const decoder = new PlatformDecoder(name, label);
  let table: Map<string, number> | undefined;
  const codec: Codec = {
    name,
    decode(bytes) {
      if (isAscii(bytes)) return Buffer.from(bytes).toString("latin1");
      const text = decoder.decode(bytes);
      if (text !== undefined) return text;
      throw new CodecError(`'${name}' codec can't decode the file: illegal multibyte sequence`);
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
function invert(decoder: PlatformDecoder, hasFourBytes: boolean): Map<string, number> {
  const table = new Map<string, number>();
  const note = (bytes: Uint8Array, value: number): void => {
    const text = decoder.decode(bytes);
    if (text !== undefined && [...text].length === 1 && !table.has(text)) table.set(text, value);
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
