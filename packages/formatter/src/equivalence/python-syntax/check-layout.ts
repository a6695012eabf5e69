import { isClosingBracket, isOpeningBracket, Kind } from "../../syntax/kinds.ts";
import type { Tree } from "../../syntax/tree.ts";
import { SourceSyntaxError } from "./source-syntax-error.ts";

/** Limits of CPython's tokenizer (`Parser/lexer/state.h` MAXLEVEL, MAXINDENT). */
const MAX_BRACKETS = 200;
const MAX_INDENTS = 100;

/** Checks nesting and indentation, which our tokenizer takes less seriously than the interpreter. */
export class LayoutCheck {
  readonly #tree: Tree;
  readonly #holdsOddSpace: boolean;
  #brackets = 0;
  /** Column of each open block; -1 before its first statement. */
  readonly #columns: number[] = [0];
  /** Column of the last statement that began a line. */
  #previous = 0;
  #isLineStart = true;

  constructor(tree: Tree) {
    this.#tree = tree;
    this.#holdsOddSpace = tree.source.includes("\v") || holdsSpaceBehindBackslash(tree.source);
  }

  /**
   * Takes a look at the next leaf of the file.
   *
   * @throws {SourceSyntaxError}
   */
  see(leaf: number, kind: number): void {
    if (this.#holdsOddSpace) checkGap(this.#tree, leaf);
    if (kind <= Kind.DEDENT) {
      this.#seeStructure(leaf, kind);
      return;
    }
    if (this.#isLineStart) {
      this.#isLineStart = false;
      this.#seeLineStart(leaf);
    }
    if (isOpeningBracket(kind)) {
      if (++this.#brackets > MAX_BRACKETS) this.#reject(leaf, "too many nested parentheses");
    } else if (isClosingBracket(kind)) this.#brackets--;
  }

  #seeStructure(leaf: number, kind: number): void {
    if (kind === Kind.NEWLINE) this.#isLineStart = true;
    else if (kind === Kind.INDENT) {
      if (this.#columns.push(-1) > MAX_INDENTS) this.#reject(leaf, "too many levels of indentation");
    } else if (kind === Kind.DEDENT) this.#columns.pop();
    else if (endsInContinuation(this.#tree.source)) this.#reject(leaf, "unexpected EOF while parsing");
  }

  /** All statements of a block start in the column of its first; the file's in the first column. */
  #seeLineStart(leaf: number): void {
    const columns = this.#columns;
    const column = columnOf(this.#tree.source, this.#tree.start[leaf]!);
    if (column === undefined) return;
    const expected = columns.at(-1)!;
    const isFirst = expected === -1 && column > columns.at(-2)!;
    if (isFirst) columns[columns.length - 1] = column;
    else if (column !== expected) {
      const isLess = column < this.#previous;
      this.#reject(
        leaf,
        isLess ? "unindent does not match any outer indentation level" : "unexpected indent",
      );
    }
    this.#previous = column;
  }

  #reject(leaf: number, message: string): never {
    throw new SourceSyntaxError(message, this.#tree.line[leaf]!);
  }
}

/** Whether a backslash has white space right behind it, be it in a string. */
function holdsSpaceBehindBackslash(source: string): boolean {
  for (let at = source.indexOf("\\"); at !== -1; at = source.indexOf("\\", at + 1)) {
    const next = source.charCodeAt(at + 1);
    if (next === 32 || next === 9 || next === 12) return true;
  }
  return false;
}

/** Whether the source's last line is nothing but a backslash. */
function endsInContinuation(source: string): boolean {
  const end = source.endsWith("\n") ? source.length - 2 : source.length - 1;
  return source[end] === "\\" && /^[ \t\f]*$/.test(source.slice(source.lastIndexOf("\n", end) + 1, end));
}

/** What stands between tokens, comments apart: a backslash ends its line, and a vertical tab is no space. */
function checkGap(tree: Tree, leaf: number): void {
  const gap = tree.source.slice(tree.prefixStart[leaf]!, tree.prefixEnd[leaf]!).replace(/#[^\n]*/g, "");
  if (gap.includes("\v"))
    throw new SourceSyntaxError("invalid non-printable character U+000B", tree.line[leaf]!);
  if (/\\[^\n]/.test(gap))
    throw new SourceSyntaxError("unexpected character after line continuation character", tree.line[leaf]!);
}

/**
 * Column of a line's first token as CPython counts it: tabs to multiples of eight, a form feed starts anew. Behind
 * lines of nothing but a backslash the first of these that is indented decides.
 */
function columnOf(source: string, at: number): number | undefined {
  let space = at - 1;
  while (source.charCodeAt(space) === 32) space--;
  if (source.charCodeAt(space) === 10 && source.charCodeAt(space - 1) !== 92) return at - 1 - space;
  let start = source.lastIndexOf("\n", at - 1) + 1;
  while (start >= 2 && source[start - 2] === "\\") start = source.lastIndexOf("\n", start - 2) + 1;
  let column = 0;
  for (let i = start; i < at; i++) {
    const code = source.charCodeAt(i);
    if (code === 32) column++;
    else if (code === 9) column = (Math.floor(column / 8) + 1) * 8;
    else if (code === 12) column = 0;
    else if (code === 92) {
      if (column > 0) return column;
      i++;
    } else return undefined;
  }
  return column;
}
