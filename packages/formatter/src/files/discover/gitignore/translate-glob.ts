import { translateClass } from "../../../util/python-regex/character-class.ts";
import { emitCharacter } from "../../../util/python-regex/escapes.ts";
import { noFlags } from "../../../util/python-regex/flags.ts";
import { PatternError } from "../../../util/python-regex/pattern-error.ts";

/**
 * One segment of a pattern as the source of an expression (pathspec: `_translate_segment_glob`): `*` and `?` stay
 * within the segment, `[...]` is a set of Python's `re`.
 *
 * @param badRanges takes a range that ends before it begins, which only counts in a pattern that is not dropped
 * @returns `undefined` for a bracket that is never closed: git drops the whole pattern.
 * @throws {PatternError} for a backslash at the end.
 */
export function translateGlob(glob: string, badRanges: PatternError[]): string | undefined {
  let source = "";
  for (let at = 0; at < glob.length; ) {
    const character = glob[at]!;
    if (character === "\\") {
      if (at + 1 >= glob.length) throw new PatternError("nothing behind the backslash", glob, at);
      at = addCharacter(at + 1);
    } else if (character === "*") {
      source += "[^/]*";
      at++;
    } else if (character === "?") {
      source += "[^/]";
      at++;
    } else if (character === "[") {
      const end = endOfSet(glob, at);
      if (end === undefined) return undefined;
      try {
        source += translateSet(glob.slice(at + 1, end));
      } catch (error) {
        if (!(error instanceof PatternError)) throw error;
        badRanges.push(error);
      }
      at = end + 1;
    } else at = addCharacter(at);
  }
  return source;

  function addCharacter(at: number): number {
    const code = glob.codePointAt(at)!;
    source += emitCharacter(code);
    return at + (code > 0xffff ? 2 : 1);
  }
}

/** Offset of the bracket that closes the set at `start`; one directly behind its start is a member. */
function endOfSet(glob: string, start: number): number | undefined {
  let at = start + 1;
  if (glob[at] === "!" || glob[at] === "^") at++;
  const end = glob.indexOf("]", glob[at] === "]" ? at + 1 : at);
  return end === -1 ? undefined : end;
}

/** Backslashes are members like any other. */
function translateSet(members: string): string {
  const isNegated = members[0] === "!" || members[0] === "^";
  const rest = (isNegated ? members.slice(1) : members).replaceAll("\\", "\\\\");
  return translateClass(`[${isNegated ? "^" : ""}${rest}]`, 0, noFlags).source;
}
