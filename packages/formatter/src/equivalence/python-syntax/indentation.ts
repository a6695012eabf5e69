import { Kind } from "../../syntax/kinds.ts";
import type { Tree } from "../../syntax/tree.ts";
import { pythonColumns } from "../../tokenize/python-columns.ts";
import { SourceSyntaxError } from "./source-syntax-error.ts";

/** Limit of CPython's tokenizer (`Parser/lexer/state.h` MAXINDENT). */
const MAX_INDENTS = 100;

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
  /** Whether a statement so far may be in another block, or begin with another token, than in the tree. */
  #isOther = false;
  /** The gaps before statements that hold more than line breaks and spaces: where each starts and ends, and its column. */
  readonly #gaps: number[] = [];

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /**
   * The source with every statement indented as CPython counts its columns, on the same lines and without backslashes
   * between statements; undefined where the tree has CPython's blocks and tokens already.
   */
  plainSource(): string | undefined {
    if (!this.#isOther) return undefined;
    const { source } = this.#tree;
    let text = "";
    let at = 0;
    for (let i = 0; i < this.#gaps.length; i += 3) {
      const [start, end, column] = this.#gaps.slice(i, i + 3) as [number, number, number];
      const lines = source.slice(start, end).split("\n").slice(0, -1);
      const comments = lines.map((line) => (line.includes("#") ? line : ""));
      text += `${source.slice(at, start)}${[...comments, " ".repeat(column)].join("\n")}`;
      at = end;
    }
    return text + source.slice(at);
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
    this.#isOther = true;
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

  /** The same where there is more in the gap than line breaks and spaces; a leaf may begin with some of the gap. */
  #measureGap(leafStart: number): void {
    const { source } = this.#tree;
    let start = leafStart;
    while (isIndent(source.charCodeAt(start))) start++;
    const { column, other, isContinued } = pythonColumns(source, this.#lineEnd, start);
    this.#column = column;
    this.#otherColumn = other;
    this.#gaps.push(this.#lineEnd, start, column);
    if (isContinued) this.#isOther = true;
  }

  #rejectTabs(leaf: number): never {
    this.#reject(leaf, "inconsistent use of tabs and spaces in indentation");
  }

  #reject(leaf: number, message: string): never {
    throw new SourceSyntaxError(message, this.#tree.line[leaf]!, "indentation");
  }
}

function isIndent(code: number): boolean {
  return code === SPACE || code === 9 || code === 12;
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
