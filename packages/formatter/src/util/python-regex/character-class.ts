import { classMembers, emitCharacter, readEscape } from "./escapes.ts";
import type { RegexFlags } from "./flags.ts";
import { PatternError } from "./pattern-error.ts";

/** Translates the set whose `[` is at `start`; returns JavaScript source and the offset behind the `]`. */
export function translateClass(
  pattern: string,
  start: number,
  flags: RegexFlags,
): { source: string; end: number } {
  let at = start + 1;
  const negated = pattern[at] === "^";
  if (negated) at++;
  let members = "";
  /** Negated classes (`\W`) become lookaheads of their own: in a positive set they are alternatives. */
  const complements: string[] = [];
  const first = at;
  for (;;) {
    if (at >= pattern.length) throw new PatternError("unterminated character set", pattern, start);
    if (pattern[at] === "]" && at !== first) break;
    const low = readMember(pattern, at, start);
    const hasRange = pattern[low.end] === "-" && pattern[low.end + 1] !== "]";
    if (!hasRange) {
      at = low.end;
      if (low.code !== undefined) members += emitCharacter(low.code);
      else if (low.letter === low.letter!.toLowerCase()) members += classMembers(low.letter!, flags);
      else complements.push(classMembers(low.letter!, flags));
      continue;
    }
    if (low.end + 1 >= pattern.length) throw new PatternError("unterminated character set", pattern, start);
    const high = readMember(pattern, low.end + 1, start);
    if (low.code === undefined || high.code === undefined || high.code < low.code)
      throw new PatternError(`bad character range ${pattern.slice(at, high.end)}`, pattern, at);
    members += `${emitCharacter(low.code)}-${emitCharacter(high.code)}`;
    at = high.end;
  }
  return { source: assemble(members, complements, negated), end: at + 1 };
}

function readMember(
  pattern: string,
  at: number,
  start: number,
): { code?: number; letter?: string; end: number } {
  if (pattern[at] !== "\\") {
    const code = pattern.codePointAt(at);
    if (code === undefined) throw new PatternError("unterminated character set", pattern, start);
    return { code, end: at + (code > 0xffff ? 2 : 1) };
  }
  const { escape: read, end } = readEscape(pattern, at, true);
  if (read.kind === "character") return { code: read.code, end };
  if (read.kind === "class") return { letter: read.letter, end };
  throw new PatternError(`bad escape ${pattern.slice(at, end)}`, pattern, at);
}

function assemble(members: string, complements: readonly string[], negated: boolean): string {
  const alternatives = complements.map((complement) => `[^${complement}]`);
  if (members !== "" || alternatives.length === 0) alternatives.push(`[${members}]`);
  if (!negated) return alternatives.length === 1 ? alternatives[0]! : `(?:${alternatives.join("|")})`;
  if (complements.length === 0) return `[^${members}]`;
  return `(?:(?!${alternatives.join("|")})[^])`;
}
