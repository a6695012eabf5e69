import { isClosingBracket, isOpeningBracket, Kind } from "../../syntax/kinds.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";
import { SourceSyntaxError } from "./source-syntax-error.ts";

/** Limits of CPython's tokenizer (`Parser/lexer/state.h` MAXLEVEL, MAXINDENT). */
const MAX_BRACKETS = 200;
const MAX_INDENTS = 100;

/** Checks nesting and indentation, which our tokenizer takes less seriously than the interpreter. */
export function checkLayout(tree: Tree, root: number): void {
  let brackets = 0;
  let indents = 0;
  const columns: number[] = [0];
  let previous = 0;
  let isLineStart = true;
  const last = tree.lastLeaf(root);
  const mayHoldOddSpace = /\v|\\[ \t\f]/.test(tree.source);
  for (let leaf = tree.firstLeaf(root); leaf !== NONE; leaf = tree.nextLeaf(leaf)) {
    const kind = tree.kind[leaf]!;
    const line = tree.line[leaf]!;
    if (mayHoldOddSpace) checkGap(tree, leaf);
    if (kind === Kind.INDENT) {
      indents++;
      if (indents >= MAX_INDENTS) throw new SourceSyntaxError("too many levels of indentation", line);
      columns.push(-1);
    } else if (kind === Kind.DEDENT) {
      indents--;
      columns.pop();
    } else if (kind === Kind.NEWLINE) isLineStart = true;
    else if (kind === Kind.ENDMARKER) {
      if (/(?:^|\n)[ \t\f]*\\\n?$/.test(tree.source))
        throw new SourceSyntaxError("unexpected EOF while parsing", line);
    } else {
      if (isLineStart) previous = checkColumn(tree, leaf, columns, previous);
      isLineStart = false;
      if (isOpeningBracket(kind)) {
        if (++brackets > MAX_BRACKETS) throw new SourceSyntaxError("too many nested parentheses", line);
      } else if (isClosingBracket(kind)) brackets--;
    }
    if (leaf === last) break;
  }
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
 * All statements of a block start in the column of its first; the file's in the first column. Returns the column.
 *
 * @param previous column of the statement before.
 */
function checkColumn(tree: Tree, leaf: number, columns: number[], previous: number): number {
  const column = columnOf(tree.source, tree.start[leaf]!);
  if (column === undefined) return previous;
  const expected = columns.at(-1)!;
  const isFirst = expected === -1 && column > columns.at(-2)!;
  if (isFirst) columns[columns.length - 1] = column;
  else if (column !== expected) {
    const message =
      column < previous ? "unindent does not match any outer indentation level" : "unexpected indent";
    throw new SourceSyntaxError(message, tree.line[leaf]!);
  }
  return column;
}

/**
 * Column of a line's first token as CPython counts it: tabs to multiples of eight, a form feed starts anew. Behind
 * lines of nothing but a backslash the first of these that is indented decides.
 */
function columnOf(source: string, at: number): number | undefined {
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
