import { generateComments } from "../../comments/generate-comments.ts";
import { takePlainComments } from "../../comments/plain-comments.ts";
import type { Mode } from "../../mode/mode.ts";
import { FIRST_NODE, isClosingBracket, Kind } from "../../syntax/kinds.ts";
import { isAsyncStmtOrFuncdef, isWhitespaceKind } from "../../syntax/predicates/statements.ts";
import { NONE, PrefixFlag, TextFlag, type Tree } from "../../syntax/tree.ts";
import { factsOfComment, factsOfCopy, type LineFacts } from "../blank-lines/line-facts.ts";
import { isBlank } from "../leaf-size.ts";
import { indentWidth } from "../line/indent-width.ts";
import { Line } from "../line.ts";

import { visitors } from "./dispatch.ts";
import { guardFits } from "./guard.ts";
import { countNewlines, keepLineBreaks } from "./line-start.ts";
import type { Generation } from "./visitor.ts";

const SPACE = 0x20;
const LF = 0x0a;

/** What a `LineGenerator` asks of and gives to the code above it. */
export interface LineGeneratorOptions {
  /** `Feature` bits that the output may use. */
  readonly features: number;
  /** Whether comments may be printed as ranges of the source: there are no directives, and all lines are formatted. */
  readonly copiesComments: boolean;
  /** Takes each line, unsplit, in order. */
  readonly emit: (line: Line) => void;
  /** Takes a line that is printed as a range of the source. */
  readonly emitVerbatim: (line: LineFacts, start: number, end: number) => void;
  /** Whether a line fits as it is (`is_line_short_enough`). */
  readonly isShortEnough: (line: Line, text: string) => boolean;
}

/**
 * Walks the tree and emits one `Line` for each logical line and each comment of its own (`linegen.py`
 * LineGenerator). Changes the tree on its way: literals are normalised, parentheses hidden and added.
 */
export class LineGenerator implements Generation {
  readonly tree: Tree;
  readonly mode: Mode;
  readonly features: number;
  current: Line;
  readonly #emit: (line: Line) => void;
  readonly #emitVerbatim: (line: LineFacts, start: number, end: number) => void;
  readonly #copiesComments: boolean;
  readonly #isShortEnough: (line: Line, text: string) => boolean;
  readonly #expressionStrings: number[] = [];

  constructor(tree: Tree, mode: Mode, options: LineGeneratorOptions) {
    this.tree = tree;
    this.mode = mode;
    this.features = options.features;
    this.current = new Line(tree, mode);
    this.#emit = options.emit;
    this.#emitVerbatim = options.emitVerbatim;
    this.#copiesComments = options.copiesComments;
    this.#isShortEnough = options.isShortEnough;
  }

  /** Ends the current line, if there is anything on it, and starts one that is `indent` levels deeper. */
  line(indent = 0): void {
    const complete = this.current;
    if (complete.isEmpty()) {
      complete.depth += indent;
      return;
    }
    // `async` waits for the statement after it.
    if (complete.leaves.length === 1 && isAsyncStmtOrFuncdef(this.tree, complete.leaves[0]!)) return;
    this.current = new Line(this.tree, this.mode, complete.depth + indent);
    for (const leaf of this.#expressionStrings) this.tree.textFlags[leaf]! &= ~TextFlag.HOLDS_EXPRESSION;
    this.#expressionStrings.length = 0;
    this.#emit(complete);
  }

  emitVerbatim(first: number, last: number, end: number): boolean {
    const { tree } = this;
    const { depth } = this.current;
    const start = tree.start[first]! - indentWidth(depth);
    if (!isIndentation(tree.source, start, tree.start[first]!)) return false;
    this.line();
    if ((tree.prefixFlags[first]! & PrefixFlag.COMMENT) !== 0) this.#visitComments(first);
    countNewlines(tree, first);
    this.#emitVerbatim(factsOfCopy(tree, depth, first, last), start, end);
    return true;
  }

  noteExpressionString(leaf: number): void {
    this.#expressionStrings.push(leaf);
  }

  /** Visits one leaf or node with the rule for its kind (`Visitor.visit`). */
  visit(id: number): void {
    const kind = this.tree.kind[id]!;
    const visitor = visitors.control[kind];
    if (visitor !== undefined) {
      visitor(this, id);
      return;
    }
    visitors.prepare[kind]?.(this, id);
    this.visitDefault(id);
  }

  /** Adds a leaf to the current line or visits the children of a node (`visit_default`). */
  visitDefault(id: number): void {
    if (this.tree.kind[id]! < FIRST_NODE) this.#visitLeaf(id);
    else this.#visitChildren(id);
  }

  guardFits(node: number): boolean {
    return guardFits(this.tree, node, this.mode, this.#isShortEnough);
  }

  /** A loop rather than recursion, so that nesting costs no stack: expressions only have `prepare` rules. */
  #visitChildren(node: number): void {
    const tree = this.tree;
    let at = tree.first[node]!;
    if (at === NONE) return;
    for (;;) {
      const kind = tree.kind[at]!;
      const visitor = visitors.control[kind];
      if (visitor !== undefined) {
        visitor(this, at);
      } else {
        visitors.prepare[kind]?.(this, at);
        if (kind < FIRST_NODE) {
          this.#visitLeaf(at);
        } else if (tree.first[at] !== NONE) {
          at = tree.first[at]!;
          continue;
        }
      }
      while (tree.next[at] === NONE) {
        at = tree.parent[at]!;
        if (at === node) return;
      }
      at = tree.next[at]!;
    }
  }

  #visitLeaf(leaf: number): void {
    const { tree } = this;
    const flags = tree.prefixFlags[leaf]!;
    const isOutside = !this.current.tracker.anyOpenBrackets();
    if ((flags & PrefixFlag.COMMENT) !== 0) this.#visitComments(leaf);
    const isFirst = this.current.leaves.length === 0;
    if (isFirst) countNewlines(tree, leaf);
    const kind = tree.kind[leaf]!;
    // What is kept outside of line ranges may be such a name, too.
    const mayBeBlank = kind === Kind.NAME || kind === Kind.STANDALONE_COMMENT;
    if (isWhitespaceKind(kind) || (mayBeBlank && isBlank(tree, leaf))) return;
    // Its partner ended up on a line before.
    if (isOutside && isClosingBracket(kind) && !tree.knownClosings.has(leaf)) tree.mate[leaf] = NONE;
    this.current.append(leaf);
    if (isOutside && !isFirst && (flags & PrefixFlag.NEWLINE) !== 0) keepLineBreaks(tree, leaf);
  }

  #visitComments(leaf: number): void {
    if (this.#copiesComments && this.#copyComments(leaf)) return;
    const inBrackets = this.current.tracker.anyOpenBrackets();
    const isOutsideRanges = this.tree.keptCode.get(leaf)?.selection !== undefined;
    for (const comment of generateComments(this.tree, leaf)) {
      if (isOutsideRanges) this.#dropIndentation(comment);
      if (inBrackets) {
        this.current.append(comment);
      } else if (this.tree.kind[comment] === Kind.COMMENT) {
        this.current.append(comment);
        this.line();
      } else {
        this.line();
        this.current.append(comment);
        this.line();
      }
    }
  }

  /** Emits the comments before a leaf that begins a line as they stand; false where they are not printed so. */
  #copyComments(leaf: number): boolean {
    const { tree } = this;
    if (tree.kind[leaf] === Kind.ENDMARKER) this.line();
    if (!this.current.isEmpty()) return false;
    const { depth } = this.current;
    const indent = indentWidth(depth);
    const comments = takePlainComments(tree, leaf, indent);
    if (comments === undefined) return false;
    for (const { start, end, newlines } of comments) {
      this.#emitVerbatim(factsOfComment(tree, depth, newlines), start - indent, end);
    }
    return true;
  }

  /** A comment that keeps the form it has in the source comes with its indentation. */
  #dropIndentation(comment: number): void {
    const indent = " ".repeat(indentWidth(this.current.depth));
    const text = this.tree.text(comment);
    if (indent !== "" && text.startsWith(indent)) this.tree.setText(comment, text.slice(indent.length));
  }
}

/** Whether the range is a line's beginning and holds nothing but spaces. */
function isIndentation(source: string, start: number, end: number): boolean {
  if (start !== 0 && source.charCodeAt(start - 1) !== LF) return false;
  for (let at = start; at < end; at++) if (source.charCodeAt(at) !== SPACE) return false;
  return true;
}
