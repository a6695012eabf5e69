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

/** Rejects letters that Python rejects; `at` is where the letter stands. */
export function checkFlagLetter(letter: string | undefined, pattern: string, at: number): void {
  if (letter === undefined) throw new PatternError("missing -, : or )", pattern, at);
  if (letter === "L")
    throw new PatternError("bad inline flags: cannot use 'L' flag with a str pattern", pattern, at);
  if (names[letter] === undefined)
    throw new PatternError(/[A-Za-z]/.test(letter) ? "unknown flag" : "missing -, : or )", pattern, at);
}
