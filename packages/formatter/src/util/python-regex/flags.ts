import { PatternError } from "./pattern-error.ts";

/** The flags of Python's `re` that change what is emitted. */
export interface RegexFlags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly verbose: boolean;
  readonly ascii: boolean;
}

export const noFlags: RegexFlags = {
  ignoreCase: false,
  multiline: false,
  dotAll: false,
  verbose: false,
  ascii: false,
};

const names: Readonly<Record<string, Partial<RegexFlags>>> = {
  i: { ignoreCase: true },
  m: { multiline: true },
  s: { dotAll: true },
  x: { verbose: true },
  a: { ascii: true },
  u: { ascii: false },
};

/** The flags with letters such as `im` switched on, and those of `off` switched off. */
export function withLetters(flags: RegexFlags, on: string, off: string): RegexFlags {
  let result = flags;
  for (const letter of on) result = { ...result, ...names[letter] };
  for (const letter of off)
    for (const name of Object.keys(names[letter] ?? {})) result = { ...result, [name]: false };
  return result;
}

/**
 * The letters of inline flags such as `im-s`, from the first one at `from` on, and where they end: at `)` or `:`.
 *
 * @throws {PatternError} for what Python rejects, at the place that it names
 */
export function readFlags(pattern: string, from: number): { on: string; off: string; end: number } {
  let at = from;
  let on = "";
  for (; !/[-:)]/.test(pattern[at] ?? ""); at++) {
    const letter = flagAt(pattern, at, "missing -, : or )");
    if (letter === "L") throw badFlags("cannot use 'L' flag with a str pattern", pattern, at + 1);
    on += letter;
    if (on.includes("a") && on.includes("u"))
      throw badFlags("flags 'a', 'u' and 'L' are incompatible", pattern, at + 1);
  }
  if (pattern[at] !== "-") return { on, off: "", end: at };
  let off = "";
  for (at++; off === "" || pattern[at] !== ":"; at++) {
    const letter = flagAt(pattern, at, off === "" ? "missing flag" : "missing :");
    if ("auL".includes(letter)) throw badFlags("cannot turn off flags 'a', 'u' and 'L'", pattern, at + 1);
    off += letter;
  }
  if ([...off].some((letter) => on.includes(letter))) throw badFlags("flag turned on and off", pattern, at);
  return { on, off, end: at };
}

/** Whether inline flags begin with the character. */
export function beginsFlags(character: string): boolean {
  return character === "-" || character === "L" || names[character] !== undefined;
}

function flagAt(pattern: string, at: number, otherwise: string): string {
  const letter = pattern[at];
  if (letter !== undefined && letter !== "-" && beginsFlags(letter)) return letter;
  throw new PatternError(/^\p{L}$/u.test(letter ?? "") ? "unknown flag" : otherwise, pattern, at);
}

function badFlags(reason: string, pattern: string, at: number): PatternError {
  return new PatternError(`bad inline flags: ${reason}`, pattern, at);
}
