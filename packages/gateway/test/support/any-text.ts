import fc from "fast-check";

const SURROGATES = 0xd800;
const SURROGATE_COUNT = 0x800;

/** Any code point but half a surrogate pair. fast-check's own, `binary`, takes a second to make its table. */
const codePoint = fc
  .nat(0x10ffff - SURROGATE_COUNT)
  .map((number) => String.fromCodePoint(number < SURROGATES ? number : number + SURROGATE_COUNT));

/** Any text that UTF-8 can write. */
export const anyText = fc.string({ unit: codePoint });
