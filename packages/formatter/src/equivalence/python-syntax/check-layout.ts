import { FIRST_NODE, isClosingBracket, isOpeningBracket, Kind } from "../../syntax/kinds.ts";
import type { Tree } from "../../syntax/tree.ts";
import { checkGap } from "./check-gap.ts";
import { Indentation } from "./indentation.ts";
import { SourceSyntaxError } from "./source-syntax-error.ts";

/** Limit of CPython's tokenizer (`Parser/lexer/state.h` MAXLEVEL). */
const MAX_BRACKETS = 200;

/**
 * Checks nesting and indentation, which our tokenizer, like Black's, takes less seriously than the interpreter.
 *
 * @returns the same source indented so that the tree gets the interpreter's blocks, where it may have others now
 * @throws {SourceSyntaxError}
 */
export function checkLayout(tree: Tree): string | undefined {
  const indentation = new Indentation(tree);
  const holdsOddSpace = tree.source.includes("\v") || holdsSpaceBehindBackslash(tree.source);
  let brackets = 0;
  // Leaves are numbered in the order of the file.
  for (let leaf = 0; leaf < tree.count; leaf++) {
    const kind = tree.kind[leaf]!;
    if (kind >= FIRST_NODE) continue;
    if (holdsOddSpace) checkGap(tree, leaf);
    if (kind <= Kind.DEDENT) {
      indentation.see(leaf, kind);
      if (kind === Kind.ENDMARKER) checkEnd(tree.source);
      continue;
    }
    if (indentation.isLineStart) indentation.seeStatement(leaf);
    if (isOpeningBracket(kind)) {
      if (++brackets > MAX_BRACKETS)
        throw new SourceSyntaxError("too many nested parentheses", tree.line[leaf]!, "tokenizer");
    } else if (isClosingBracket(kind)) brackets--;
  }
  return indentation.plainSource();
}

/** Whether a backslash has white space right behind it, be it in a string. */
function holdsSpaceBehindBackslash(source: string): boolean {
  for (let at = source.indexOf("\\"); at !== -1; at = source.indexOf("\\", at + 1)) {
    const next = source.charCodeAt(at + 1);
    if (next === 32 || next === 9 || next === 12) return true;
  }
  return false;
}

/** The last line may not be nothing but a backslash. */
function checkEnd(source: string): void {
  const end = source.endsWith("\n") ? source.length - 2 : source.length - 1;
  if (source[end] !== "\\" || !/^[ \t\f]*$/.test(source.slice(source.lastIndexOf("\n", end) + 1, end)))
    return;
  const line = source.slice(0, end).split("\n").length;
  throw new SourceSyntaxError("unexpected EOF while parsing", line, "indentation");
}
