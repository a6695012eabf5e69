import { Kind } from "../../syntax/kinds.ts";
import type { Tree } from "../../syntax/tree.ts";
import { SourceSyntaxError } from "./source-syntax-error.ts";

/** Limit of CPython's tokenizer (`Parser/lexer/state.h` MAXINDENT). */
const MAX_INDENTS = 100;

/** Widths of a tab in the two ways in which CPython counts columns (`Parser/lexer/state.h` TABSIZE, ALTTABSIZE). */
const TAB = 8;
const OTHER_TAB = 1;

const NEWLINE = 10;
const SPACE = 32;
const BACKSLASH = 92;

/**
 * The blocks that CPython's tokenizer makes of a file's indentation (`Parser/lexer/lexer.c`, tok_get_normal_mode),
 * beside those of the tree. It lets backslashes and comments decide otherwise than Black's tokenizer does.
 */
export class Indentation {
  readonly #tree: Tree;
  /** The columns of the open blocks, the file's first, counted in both ways. */
  readonly #columns: number[] = [0];
  readonly #otherColumns: number[] = [0];
  /** Whether the next leaf that is no layout begins a logical line. */
  isLineStart = true;
  /** Where the last logical line ends. */
  #lineEnd = 0;
  /** Blocks that the tree opens (1) or ends (negative) before the next statement. */
  #change = 0;
  /** Column of the last statement that began a line, counted in both ways. */
  #column = 0;
  #otherColumn = 0;
  #differences = "";

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** The differences from the tree's blocks so far; empty where there are none. */
  get otherBlocks(): string {
    return this.#differences;
  }

  /** Takes a leaf that is layout. */
  see(leaf: number, kind: number): void {
    if (kind === Kind.NEWLINE) {
      this.isLineStart = true;
      this.#lineEnd = this.#tree.end[leaf]!;
    } else if (kind === Kind.INDENT) this.#change++;
    else if (kind === Kind.DEDENT) this.#change--;
  }

  /** Takes the first leaf of a logical line. */
  seeStatement(leaf: number): void {
    this.isLineStart = false;
    const change = this.#change;
    this.#change = 0;
    this.#measure(this.#tree.start[leaf]!);
    const actual = this.#indent(leaf);
    if (actual === change) return;
    if (actual > 0) this.#reject(leaf, "unexpected indent");
    if (change > 0) this.#reject(leaf, "expected an indented block");
    if (isClause(this.#tree, leaf)) this.#reject(leaf, "invalid syntax");
    this.#differences += `${actual - change} `;
  }

  /** How many blocks the statement's column opens (1) or ends (negative). */
  #indent(leaf: number): number {
    const columns = this.#columns;
    const others = this.#otherColumns;
    const column = this.#column;
    const depth = columns.length;
    if (column > columns[depth - 1]!) {
      if (depth >= MAX_INDENTS) this.#reject(leaf, "too many levels of indentation");
      if (this.#otherColumn <= others[depth - 1]!) this.#rejectTabs(leaf);
      columns.push(column);
      others.push(this.#otherColumn);
      return 1;
    }
    while (column < columns.at(-1)!) {
      columns.pop();
      others.pop();
    }
    if (column !== columns.at(-1)!) this.#reject(leaf, "unindent does not match any outer indentation level");
    if (this.#otherColumn !== others.at(-1)!) this.#rejectTabs(leaf);
    return columns.length - depth;
  }

  /** Counts the columns before the statement that starts at `start`. */
  #measure(start: number): void {
    const { source } = this.#tree;
    let at = start - 1;
    while (source.charCodeAt(at) === SPACE) at--;
    const isPlain =
      at < this.#lineEnd || (source.charCodeAt(at) === NEWLINE && source.charCodeAt(at - 1) !== BACKSLASH);
    if (!isPlain) this.#measureGap(start);
    else {
      this.#column = start - 1 - at;
      this.#otherColumn = this.#column;
    }
  }

  /** The same by CPython's rules for tabs, form feeds and lines that hold nothing but a backslash or a comment. */
  #measureGap(start: number): void {
    const { source } = this.#tree;
    let column = 0;
    let other = 0;
    // Of several lines that are one because of backslashes, the first that is indented counts.
    let continued = 0;
    for (let at = this.#lineEnd; at < start; at++) {
      const code = source.charCodeAt(at);
      if (code === SPACE) {
        column++;
        other++;
      } else if (code === 9) {
        column = (Math.floor(column / TAB) + 1) * TAB;
        other = (Math.floor(other / OTHER_TAB) + 1) * OTHER_TAB;
      } else if (code === 12) {
        column = 0;
        other = 0;
      } else if (code === BACKSLASH) {
        if (continued === 0) continued = column;
        at++;
      } else {
        // A blank line, or one with a comment, whatever its last character.
        if (code !== NEWLINE) at = source.indexOf("\n", at);
        column = 0;
        other = 0;
        continued = 0;
      }
    }
    this.#column = continued === 0 ? column : continued;
    this.#otherColumn = continued === 0 ? other : continued;
  }

  #rejectTabs(leaf: number): never {
    this.#reject(leaf, "inconsistent use of tabs and spaces in indentation");
  }

  #reject(leaf: number, message: string): never {
    throw new SourceSyntaxError(message, this.#tree.line[leaf]!, "indentation");
  }
}

/** Whether the line goes on with a statement that the line before it belongs to as well. */
function isClause(tree: Tree, leaf: number): boolean {
  const kind = tree.kind[leaf]!;
  return (
    kind === Kind.KW_ELSE ||
    kind === Kind.KW_ELIF ||
    kind === Kind.KW_EXCEPT ||
    kind === Kind.KW_FINALLY ||
    kind === Kind.KW_CASE
  );
}
