import type { RegexFlags } from "./flags.ts";
import { PatternError } from "./pattern-error.ts";

const controls: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** What a backslash sequence stands for. */
export type Escape =
  | { readonly kind: "character"; readonly code: number }
  | { readonly kind: "class"; readonly letter: "d" | "D" | "s" | "S" | "w" | "W" }
  | { readonly kind: "boundary"; readonly letter: "b" | "B" | "A" | "Z" | "z" }
  | { readonly kind: "reference"; readonly group: number };

/** An escape and the offset behind it. */
export interface ReadEscape {
  readonly escape: Escape;
  readonly end: number;
}

/** Reads the escape whose backslash is at `at` (Python: `_class_escape` and `_escape` of `re._parser`). */
export function readEscape(pattern: string, at: number, inClass: boolean): ReadEscape {
  const letter = pattern[at + 1];
  if (letter === undefined) throw new PatternError("bad escape (end of pattern)", pattern, at);
  const end = at + 2;
  if ("dDsSwW".includes(letter)) return { escape: { kind: "class", letter: letter as "d" }, end };
  if (!inClass && "bBAZz".includes(letter))
    return { escape: { kind: "boundary", letter: letter as "b" }, end };
  if (letter === "x") return readHex(pattern, at, 2);
  if (letter === "u") return readHex(pattern, at, 4);
  if (letter === "U") return readHex(pattern, at, 8);
  if (letter === "N") throw new PatternError("\\N{...} (characters by name) is not supported", pattern, at);
  if (letter >= "0" && letter <= "9") return readDigits(pattern, at, inClass);
  const control = controls[letter];
  if (control !== undefined) return character(control, end);
  if (/[A-Za-z]/.test(letter)) throw new PatternError(`bad escape \\${letter}`, pattern, at);
  const code = pattern.codePointAt(at + 1)!;
  return character(code, at + 1 + (code > 0xffff ? 2 : 1));
}

function character(code: number, end: number): ReadEscape {
  return { escape: { kind: "character", code }, end };
}

function readHex(pattern: string, at: number, digits: number): ReadEscape {
  const match = new RegExp(`^[0-9A-Fa-f]{${digits}}`).exec(pattern.slice(at + 2));
  if (match === null) {
    const partial = /^[0-9A-Fa-f]*/.exec(pattern.slice(at + 2, at + 2 + digits))![0];
    throw new PatternError(`incomplete escape ${pattern.slice(at, at + 2)}${partial}`, pattern, at);
  }
  const code = Number.parseInt(match[0], 16);
  if (code > 0x10ffff)
    throw new PatternError(`bad escape ${pattern.slice(at, at + 2 + digits)}`, pattern, at);
  return character(code, at + 2 + digits);
}

/** `\0`, `\012` and `\377` are octal; otherwise digits name a group. */
function readDigits(pattern: string, at: number, inClass: boolean): ReadEscape {
  const rest = pattern.slice(at + 1);
  const octal =
    /^0[0-7]{0,2}/.exec(rest) ?? /^[0-7]{3}/.exec(rest) ?? (inClass ? /^[0-7]{1,3}/.exec(rest) : null);
  if (octal !== null) {
    const code = Number.parseInt(octal[0], 8);
    if (code > 0o377)
      throw new PatternError(`octal escape value \\${octal[0]} outside of range 0-0o377`, pattern, at);
    return character(code, at + 1 + octal[0].length);
  }
  if (inClass) throw new PatternError(`bad escape \\${rest[0]}`, pattern, at);
  const number = /^[0-9]{1,2}/.exec(rest)![0];
  return { escape: { kind: "reference", group: Number(number) }, end: at + 1 + number.length };
}

/** A code point as it may stand anywhere in a JavaScript pattern with the `u` flag. */
export function emitCharacter(code: number): string {
  const isPlain =
    (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
  return isPlain ? String.fromCodePoint(code) : `\\u{${code.toString(16)}}`;
}

/** The members of `\d`, `\s` or `\w` as they stand inside brackets. */
export function classMembers(letter: string, flags: RegexFlags): string {
  switch (letter.toLowerCase()) {
    case "d":
      return flags.ascii ? "0-9" : "\\p{Nd}";
    case "s":
      return flags.ascii
        ? " \\t\\n\\r\\f\\v"
        : "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
    default:
      return flags.ascii ? "A-Za-z0-9_" : "\\p{L}\\p{N}_";
  }
}
