import { translateClass } from "./character-class.ts";
import { classMembers, emitCharacter, readEscape } from "./escapes.ts";
import { beginsFlags, noFlags, type RegexFlags, readFlags, withLetters } from "./flags.ts";
import { PatternError } from "./pattern-error.ts";
import type { Piece } from "./piece.ts";
import { applyRepeat, readRepeat } from "./repeat.ts";

/**
 * Not `$` by itself, with which V8 begins so many units before the end as the pattern has characters, nor `(?![^])`, which is
 * true within a pair of surrogates.
 */
const END = "(?=$)";

/** One pass over a Python pattern that emits a JavaScript one for the `u` flag (Python: `re._parser`). */
export class Translator {
  readonly #pattern: string;
  #at = 0;
  flags: RegexFlags = noFlags;
  /** Python group number to JavaScript group number; 0 while the group is open. */
  readonly #groups: number[] = [0];
  readonly #names = new Map<string, number>();
  #emittedGroups = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  /** The whole pattern as JavaScript source. */
  translate(): string {
    this.#globalFlags();
    const { source } = this.#alternatives(this.flags);
    if (this.#at < this.#pattern.length) throw this.#error("unbalanced parenthesis", this.#at);
    return source;
  }

  /** Flags for everything may only stand at the start: `(?x)`. */
  #globalFlags(): void {
    for (;;) {
      this.#skipBlank(this.flags);
      const match = /^\(\?([aimsux]+)\)/.exec(this.#pattern.slice(this.#at));
      if (match === null) return;
      const { on } = readFlags(this.#pattern, this.#at + 2);
      this.flags = withLetters(this.flags, on, "");
      this.#at += match[0].length;
    }
  }

  #error(message: string, at?: number): PatternError {
    return new PatternError(message, this.#pattern, at);
  }

  #alternatives(flags: RegexFlags): Piece {
    let piece = this.#sequence(flags);
    while (this.#pattern[this.#at] === "|") {
      this.#at++;
      const next = this.#sequence(flags);
      piece = {
        source: `${piece.source}|${next.source}`,
        min: Math.min(piece.min, next.min),
        max: Math.max(piece.max, next.max),
      };
    }
    return piece;
  }

  #sequence(flags: RegexFlags): Piece {
    let source = "";
    let min = 0;
    let max = 0;
    for (;;) {
      this.#skipBlank(flags);
      const character = this.#pattern[this.#at];
      if (character === undefined || character === "|" || character === ")") return { source, min, max };
      const piece = this.#item(flags);
      const repeated = this.#repeats(piece, flags);
      source += repeated.source;
      min += repeated.min;
      max += repeated.max;
    }
  }

  /** Comments, and what counts for nothing in verbose mode. A repeat behind them is one of what is before them. */
  #skipBlank({ verbose }: RegexFlags): void {
    const blank = verbose ? /(?:[ \t\n\r\f\v]|#[^\n]*|\(\?#[^)]*\))*/y : /(?:\(\?#[^)]*\))*/y;
    blank.lastIndex = this.#at;
    blank.test(this.#pattern);
    this.#at = blank.lastIndex;
    if (this.#pattern.startsWith("(?#", this.#at))
      throw this.#error("missing ), unterminated comment", this.#at);
  }

  /** One item without its repeat. */
  #item(flags: RegexFlags): Piece {
    const at = this.#at;
    const character = this.#pattern[at]!;
    switch (character) {
      case "(":
        return this.#group(flags);
      case "[": {
        const { source, end } = translateClass(this.#pattern, at, flags);
        this.#at = end;
        return { source, min: 1, max: 1 };
      }
      case "\\":
        return this.#escape(flags);
      case ".":
        this.#at++;
        return { source: flags.dotAll ? "[^]" : "[^\\n]", min: 1, max: 1 };
      case "^":
        this.#at++;
        return { source: flags.multiline ? "(?<=^|\\n)" : "^", min: 0, max: 0, isAnchor: true };
      case "$":
        this.#at++;
        return {
          source: flags.multiline ? "(?=\\n|$)" : "(?=\\n?$)",
          min: 0,
          max: 0,
          isAnchor: true,
        };
      default: {
        const repeat = readRepeat(this.#pattern, at);
        if (repeat !== undefined) throw this.#error("nothing to repeat", at);
        const code = this.#pattern.codePointAt(at)!;
        this.#at += code > 0xffff ? 2 : 1;
        return { source: emitCharacter(code), min: 1, max: 1 };
      }
    }
  }

  #repeats(piece: Piece, flags: RegexFlags): Piece {
    this.#skipBlank(flags);
    const at = this.#at;
    const repeat = readRepeat(this.#pattern, at);
    if (repeat === undefined) return piece;
    if (piece.isAnchor === true) throw this.#error("nothing to repeat", at);
    this.#at = repeat.end;
    if (repeat.isPossessive) this.#emittedGroups++;
    const result = applyRepeat(piece, repeat, this.#emittedGroups);
    this.#skipBlank(flags);
    if (readRepeat(this.#pattern, this.#at) !== undefined) throw this.#error("multiple repeat", this.#at);
    return result;
  }

  #escape(flags: RegexFlags): Piece {
    const at = this.#at;
    const { escape: read, end } = readEscape(this.#pattern, at, false);
    this.#at = end;
    if (read.kind === "character") return { source: emitCharacter(read.code), min: 1, max: 1 };
    if (read.kind === "class") {
      const members = classMembers(read.letter, flags);
      const isNegated = read.letter < "a";
      return { source: isNegated ? `[^${members}]` : `[${members}]`, min: 1, max: 1 };
    }
    if (read.kind === "reference") return this.#reference(read.group, String(read.group), at + 1, at);
    const word = `[${classMembers("w", flags)}]`;
    const boundaries: Record<string, string> = {
      b: `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`,
      B: `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`,
      A: "^",
      Z: END,
      z: END,
    };
    return { source: boundaries[read.letter]!, min: 0, max: 0, isAnchor: true };
  }

  #reference(group: number, text: string, at: number, start = at): Piece {
    const emitted = this.#groups[group];
    if (group === 0 || emitted === undefined) throw this.#error(`invalid group reference ${text}`, at);
    if (emitted === 0) throw this.#error("cannot refer to an open group", start);
    return { source: `(?:\\${emitted})`, min: 0, max: Number.POSITIVE_INFINITY };
  }

  #group(flags: RegexFlags): Piece {
    const start = this.#at;
    this.#at++;
    if (this.#pattern[this.#at] !== "?") return this.#capture(start, flags, undefined);
    const rest = this.#pattern.slice(this.#at + 1);
    if (rest === "") throw this.#error("unexpected end of pattern", this.#pattern.length);
    for (const [opening, emit] of [
      [":", "(?:"],
      ["=", "(?="],
      ["!", "(?!"],
      ["<=", "(?<="],
      ["<!", "(?<!"],
    ] as const)
      if (rest.startsWith(opening)) return this.#wrapped(start, opening, emit, flags);
    if (rest.startsWith(">")) return this.#atomic(start, flags);
    if (rest.startsWith("P")) return this.#named(start, flags, rest);
    if (rest.startsWith("(")) throw this.#error("conditional groups (?(...)...) are not supported", start);
    if (rest.startsWith("<")) {
      if (rest.length === 1) throw this.#error("unexpected end of pattern", this.#pattern.length);
      throw this.#error(`unknown extension ?<${rest[1]}`, start + 1);
    }
    return this.#inlineFlags(start, flags);
  }

  #close(start: number): void {
    if (this.#pattern[this.#at] !== ")") throw this.#error("missing ), unterminated subpattern", start);
    this.#at++;
  }

  #capture(start: number, flags: RegexFlags, name: string | undefined): Piece {
    const number = this.#groups.length;
    this.#groups.push(0);
    if (name !== undefined) this.#names.set(name, number);
    const emitted = ++this.#emittedGroups;
    const inner = this.#alternatives(flags);
    this.#close(start);
    this.#groups[number] = emitted;
    return { ...inner, source: `(${inner.source})`, isAnchor: false };
  }

  #wrapped(start: number, opening: string, emit: string, flags: RegexFlags): Piece {
    this.#at += 1 + opening.length;
    const inner = this.#alternatives(flags);
    this.#close(start);
    if (opening === ":") return { ...inner, source: `${emit}${inner.source})`, isAnchor: false };
    if (opening.startsWith("<") && inner.min !== inner.max)
      throw this.#error("look-behind requires fixed-width pattern");
    return { source: `${emit}${inner.source})`, min: 0, max: 0 };
  }

  /** JavaScript lacks atomic groups; a lookahead keeps its first match, which a reference then consumes. */
  #atomic(start: number, flags: RegexFlags): Piece {
    this.#at += 2;
    const number = ++this.#emittedGroups;
    const inner = this.#alternatives(flags);
    this.#close(start);
    return { ...inner, source: `(?:(?=(${inner.source}))\\${number})`, isAnchor: false };
  }

  #named(start: number, flags: RegexFlags, rest: string): Piece {
    if (rest.startsWith("P<")) {
      const name = this.#name(start + 4, ">");
      const known = this.#names.get(name);
      if (known !== undefined)
        throw this.#error(
          `redefinition of group name '${name}' as group ${this.#groups.length}; was group ${known}`,
          start + 4,
        );
      return this.#capture(start, flags, name);
    }
    if (rest.startsWith("P=")) {
      const name = this.#name(start + 4, ")");
      const known = this.#names.get(name);
      if (known === undefined) throw this.#error(`unknown group name '${name}'`, start + 4);
      return this.#reference(known, name, start + 4);
    }
    if (rest.length === 1) throw this.#error("unexpected end of pattern", this.#pattern.length);
    throw this.#error(`unknown extension ?P${rest[1]}`, start + 1);
  }

  #name(from: number, terminator: string): string {
    const end = this.#pattern.indexOf(terminator, from);
    const name = end === -1 ? this.#pattern.slice(from) : this.#pattern.slice(from, end);
    if (name === "") throw this.#error("missing group name", from);
    if (end === -1) throw this.#error(`missing ${terminator}, unterminated name`, from);
    if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name))
      throw this.#error(`bad character in group name '${name}'`, from);
    this.#at = end + 1;
    return name;
  }

  #inlineFlags(start: number, flags: RegexFlags): Piece {
    const opener = this.#pattern[start + 2]!;
    if (!beginsFlags(opener)) throw this.#error(`unknown extension ?${opener}`, start + 1);
    const { on, off, end } = readFlags(this.#pattern, start + 2);
    if (this.#pattern[end] === ")")
      throw this.#error("global flags not at the start of the expression", start);
    this.#at = end + 1;
    const inner = this.#alternatives(withLetters(flags, on, off));
    this.#close(start);
    const caseOn = on.includes("i") ? "i" : "";
    const caseOff = off.includes("i") ? "-i" : "";
    return { ...inner, source: `(?${caseOn}${caseOff}:${inner.source})`, isAnchor: false };
  }
}
