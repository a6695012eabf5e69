import { Kind } from "../syntax/kinds.ts";

/** Texts with a kind of their own; soft keywords are names unless the parser decides otherwise. */
export const keywordKinds: readonly (readonly [string, number])[] = [
  ["and", Kind.KW_AND],
  ["as", Kind.KW_AS],
  ["assert", Kind.KW_ASSERT],
  ["async", Kind.ASYNC],
  ["await", Kind.AWAIT],
  ["break", Kind.KW_BREAK],
  ["case", Kind.KW_CASE],
  ["class", Kind.KW_CLASS],
  ["continue", Kind.KW_CONTINUE],
  ["def", Kind.KW_DEF],
  ["del", Kind.KW_DEL],
  ["elif", Kind.KW_ELIF],
  ["else", Kind.KW_ELSE],
  ["except", Kind.KW_EXCEPT],
  ["False", Kind.KW_FALSE],
  ["finally", Kind.KW_FINALLY],
  ["for", Kind.KW_FOR],
  ["from", Kind.KW_FROM],
  ["global", Kind.KW_GLOBAL],
  ["if", Kind.KW_IF],
  ["import", Kind.KW_IMPORT],
  ["in", Kind.KW_IN],
  ["is", Kind.KW_IS],
  ["lambda", Kind.KW_LAMBDA],
  ["lazy", Kind.LAZY],
  ["match", Kind.KW_MATCH],
  ["None", Kind.KW_NONE],
  ["nonlocal", Kind.KW_NONLOCAL],
  ["not", Kind.KW_NOT],
  ["or", Kind.KW_OR],
  ["pass", Kind.KW_PASS],
  ["raise", Kind.KW_RAISE],
  ["return", Kind.KW_RETURN],
  ["True", Kind.KW_TRUE],
  ["try", Kind.KW_TRY],
  ["type", Kind.KW_TYPE],
  ["while", Kind.KW_WHILE],
  ["with", Kind.KW_WITH],
  ["yield", Kind.KW_YIELD],
];

const LONGEST = 8;
const SLOTS = 256;

/** First character, last character and length of a name to a slot; the slot holds an index plus one. */
const slots = new Uint8Array(SLOTS);
const texts: string[] = [];
const kinds = new Uint8Array(keywordKinds.length);
for (const [text, kind] of keywordKinds) {
  let slot = slotOf(text.charCodeAt(0), text.charCodeAt(1), text.length);
  while (slots[slot] !== 0) slot = (slot + 1) & (SLOTS - 1);
  kinds[texts.length] = kind;
  texts.push(text);
  slots[slot] = texts.length;
}

function slotOf(first: number, second: number, length: number): number {
  return (first * 5 + second * 11 + length * 37) & (SLOTS - 1);
}

/** The kind of the name whose codes are at `start..end`: that of a keyword, or NAME. No string is made. */
export function nameKind(codes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length < 2 || length > LONGEST) return Kind.NAME;
  let slot = slotOf(codes[start]!, codes[start + 1]!, length);
  for (;;) {
    const entry = slots[slot]!;
    if (entry === 0) return Kind.NAME;
    const text = texts[entry - 1]!;
    if (text.length === length && isAt(codes, start, text, length)) return kinds[entry - 1]!;
    slot = (slot + 1) & (SLOTS - 1);
  }
}

function isAt(codes: Uint8Array, start: number, text: string, length: number): boolean {
  for (let i = 0; i < length; i++) if (codes[start + i] !== text.charCodeAt(i)) return false;
  return true;
}
