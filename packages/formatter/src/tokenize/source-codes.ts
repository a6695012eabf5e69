/** Stands for every character above U+007F. */
export const NON_ASCII_CODE = 255;

/** How many codes behind the end may be looked at. */
const LOOK_AHEAD = 4;

const encoder = new TextEncoder();
let codes = new Uint8Array(1 << 16);

/**
 * The characters of the source as numbers: ASCII ones as they are, all others `NON_ASCII_CODE`, and NULs behind the
 * end. To look at a byte costs about half of what a call of `charCodeAt` does. The array is used again for every source.
 */
export function codesOf(source: string): Uint8Array {
  const { length } = source;
  if (codes.length < length + LOOK_AHEAD) codes = new Uint8Array(length * 2 + LOOK_AHEAD);
  const { read, written } = encoder.encodeInto(source, codes);
  if (read !== length || written !== length) {
    for (let at = 0; at < length; at++) {
      const code = source.charCodeAt(at);
      codes[at] = code < 128 ? code : NON_ASCII_CODE;
    }
  }
  codes.fill(0, length, length + LOOK_AHEAD);
  return codes;
}
