import type { Mode } from "../mode/mode.ts";
import { isClosingBracket, Kind } from "../syntax/kinds.ts";
import { isMultilineString } from "../syntax/predicates/strings.ts";
import { NONE, TextFlag, type Tree } from "../syntax/tree.ts";
import { BracketTracker } from "./brackets.ts";
import { commentHost } from "./line/comment-host.ts";
import { isComplexSubscript } from "./line/complex-subscript.ts";
import { lineShape } from "./line/line-shape.ts";
import * as lineView from "./line/line-view.ts";
import { hasMagicTrailingComma, isRequiredTupleComma } from "./line/magic-trailing-comma.ts";
import { renderLine } from "./line/render.ts";
import * as typeComments from "./line/type-comments.ts";
import type { Trail } from "./split.ts";
import { whitespace } from "./whitespace.ts";

/** Brackets within brackets, unprinted ones too: those that the source may have (`tokenizer.ts`) and a few around them. */
const MAX_BRACKETS = 1_010;

/**
 * One logical or physical line as leaf ids, its comments set aside (Black: lines.py Line).
 *
 * `comments` maps a leaf to the trailing comments printed at the end of the line; it stays `undefined` as long as
 * there is none. Adding a leaf decides the space before it (`tree.space`) and its bracket depth (`tree.depth`).
 */
export class Line {
  readonly tree: Tree;
  readonly mode: Mode;
  depth: number;
  insideBrackets: boolean;
  shouldSplitRhs = false;
  /** The closing bracket of a magic trailing comma on this line, or `NONE`. */
  magicTrailingComma: number = NONE;
  leaves: number[] = [];
  comments: Map<number, number[]> | undefined = undefined;
  tracker: BracketTracker;
  /** Whether `**` was ever added: most lines need no look at it. */
  hasDoubleStar = false;
  /** Whether a string was ever added. */
  hasString = false;
  /** Whether nothing was found to merge strings or to strip of parentheses; that holds for the heads it gives, too. */
  hasSettledStrings = false;
  /** Of the tail of a split: what the search for that split has passed over. */
  trail: Trail | undefined = undefined;
  /** Made of the last leaves of another line, without comments; no bracket is tracked. */
  isTail = false;
  /** Of a tail: the index from which on it is nothing but names that something is assigned to, if that is known. */
  namesFrom: number | undefined = undefined;
  /** Of a function definition: the index of the first closing bracket behind a magic trailing comma in the return type. */
  returnComma = Number.POSITIVE_INFINITY;

  #hasStandaloneComment = false;
  /** Made of the first leaves of another line, with only its complete bracket pairs tracked. */
  #isHead = false;
  /** Of a head: the closing brackets of all its magic trailing commas, in order. */
  #magicCommas: number[] | undefined = undefined;
  /** The part of a split that has the line's leaves now, and those that it does not have. */
  #taken:
    | { readonly by: Line; readonly before: readonly number[]; readonly after: readonly number[] }
    | undefined = undefined;
  /** Found to be no chain of assignments; that holds for the heads it gives, too. */
  #hasFewEquals = false;
  #complexSubscripts: Map<number, boolean> | undefined = undefined;

  constructor(tree: Tree, mode: Mode, depth = 0, insideBrackets = false) {
    this.tree = tree;
    this.mode = mode;
    this.depth = depth;
    this.insideBrackets = insideBrackets;
    this.tracker = new BracketTracker(tree, Math.max(MAX_BRACKETS, mode.lineLength / 2));
  }

  /**
   * Adds a leaf at the end. Unless `preformatted`, decides the white space before it and tracks its brackets;
   * `trackBracket` does the latter alone. Comments are set aside, leaves without text dropped.
   */
  append(leaf: number, preformatted = false, trackBracket = false): void {
    const tree = this.tree;
    const kind = tree.kind[leaf]!;
    // Of all other leaves only brackets may have no text.
    if (kind <= Kind.COMMENT && tree.textLength(leaf) === 0) return;
    if (kind === Kind.COLON && this.isClassParenEmpty()) this.leaves.length -= 2;
    if (!preformatted && this.leaves.length > 0) {
      tree.space[leaf] = whitespace(tree, leaf, this.#needsSubscriptSpace(leaf, kind), this.mode);
    }
    if (this.insideBrackets || !preformatted || trackBracket) {
      this.tracker.mark(leaf);
      if (isClosingBracket(kind) && hasMagicTrailingComma(this, leaf, this.tracker.closedOneElement))
        this.#honourTrailingComma(leaf);
    }
    if (kind > Kind.COMMENT) {
      if (kind === Kind.DOUBLESTAR) this.hasDoubleStar = true;
      this.leaves.push(leaf);
    } else if (kind === Kind.STRING) {
      this.hasString = true;
      this.leaves.push(leaf);
    } else if (!this.appendComment(leaf)) {
      if (tree.kind[leaf] === Kind.STANDALONE_COMMENT) this.#hasStandaloneComment = true;
      this.leaves.push(leaf);
    }
  }

  /** Like `append`, but returns false, and adds nothing, where a standalone comment would not stand alone. */
  appendSafe(leaf: number, preformatted = false): boolean {
    if (this.tracker.depth === 0 || this.tracker.anyOpenForOrLambda()) {
      if (this.isComment()) return false;
      if (this.leaves.length > 0 && this.tree.kind[leaf] === Kind.STANDALONE_COMMENT) return false;
    }
    this.append(leaf, preformatted);
    return true;
  }

  /** Sets a comment aside; false when the leaf is to be an element of the line (Black: append_comment). */
  appendComment(comment: number): boolean {
    const tree = this.tree;
    const kind = tree.kind[comment]!;
    if (kind === Kind.STANDALONE_COMMENT && this.tracker.anyOpenBrackets()) {
      tree.space[comment] = 0;
      return false;
    }
    if (kind !== Kind.COMMENT) return false;
    if (this.leaves.length === 0) {
      tree.kind[comment] = Kind.STANDALONE_COMMENT;
      tree.space[comment] = 0;
      return false;
    }
    this.#attach(commentHost(this, comment), comment);
    return true;
  }

  /** The comments printed after `leaf` (Black: comments_after). */
  commentsAfter(leaf: number): readonly number[] {
    return lineView.commentsAfter(this, leaf);
  }

  /** Drops the comma at the end and moves its comments to what precedes it (Black: remove_trailing_comma). */
  removeTrailingComma(): void {
    const comma = this.leaves.pop()!;
    const moved = this.comments?.get(comma);
    if (moved === undefined) return;
    this.comments?.delete(comma);
    for (const comment of moved) this.#attach(this.leaves[this.leaves.length - 1]!, comment);
  }

  /** Whether `leaf` is part of a slice with non-trivial expressions (Black: is_complex_subscript). */
  isComplexSubscript(leaf: number): boolean {
    const bracket = this.tracker.openSquareBracket();
    if (bracket === NONE) return false;
    this.#complexSubscripts ??= new Map();
    return isComplexSubscript(this.tree, bracket, leaf, this.#complexSubscripts);
  }

  /** A line like this one without leaves and comments (Black: clone). */
  clone(): Line {
    const copy = new Line(this.tree, this.mode, this.depth, this.insideBrackets);
    copy.shouldSplitRhs = this.shouldSplitRhs;
    copy.magicTrailingComma = this.magicTrailingComma;
    return copy;
  }

  /** An empty line for the first leaves of a line that is split at a bracket pair. */
  static head(original: Line): Line {
    const head = new Line(original.tree, original.mode, original.depth);
    head.#isHead = true;
    return head;
  }

  /** A line of the last leaves of another one without comments, from the closing bracket of a split on: none is tracked. */
  static tail(original: Line, leaves: number[]): Line {
    const tail = new Line(original.tree, original.mode, original.depth);
    tail.isTail = true;
    tail.leaves = leaves;
    tail.hasDoubleStar = original.hasDoubleStar;
    tail.hasString = original.hasString;
    return tail;
  }

  /**
   * Whether a split at the last bracket pair makes a head whose depths, pairs and delimiters are already tracked, since
   * this line is a head itself: `takeHead` needs not look at its leaves.
   */
  get hasTrackedHead(): boolean {
    if (!this.#isHead || this.comments !== undefined || this.#hasStandaloneComment) return false;
    return this.tracker.isPlain();
  }

  /**
   * The head of the first `end` leaves, which end in brackets from `open` on that no pair of the head holds. It takes
   * them away.
   *
   * @param shown brackets of the head that are printed since this line was made
   */
  takeHead(open: number, end: number, shown: ReadonlySet<number>): Line {
    const head = Line.head(this);
    head.returnComma = this.returnComma;
    head.leaves = this.leaves;
    // Brackets without a mate in the head are not tracked there.
    const rest = head.leaves.splice(open);
    const commas = this.#magicCommas;
    if (this.tracker.hasOptional || commas !== undefined) {
      const gone = new Set(rest);
      head.tracker.takeInvisible(this.tracker, gone, shown);
      while (gone.has(commas?.at(-1) ?? NONE)) commas!.pop();
      head.magicTrailingComma = commas?.at(-1) ?? NONE;
      head.#magicCommas = commas;
      this.#magicCommas = undefined;
    }
    for (const opening of rest.splice(0, end - open)) head.leaves.push(opening);
    head.hasDoubleStar = this.hasDoubleStar;
    head.hasString = this.hasString;
    head.#hasFewEquals = this.#hasFewEquals;
    // It ends in an opening bracket, so that what stands around its strings is what stood there before.
    head.hasSettledStrings = this.hasSettledStrings && shown.size === 0;
    this.leaves = [];
    this.#taken = { by: head, before: [], after: rest };
    return head;
  }

  /** The tail of the leaves from `start` on. It takes them away. */
  takeTail(start: number): Line {
    const before = this.leaves.splice(0, start);
    const tail = Line.tail(this, this.leaves);
    this.leaves = [];
    this.#taken = { by: tail, before, after: [] };
    return tail;
  }

  /** Gives the line the leaves again that a part of it has taken. */
  restoreLeaves(): void {
    if (this.#taken === undefined) return;
    const before: (readonly number[])[] = [];
    const after: (readonly number[])[] = [];
    let owner: Line = this;
    for (; owner.#taken !== undefined; owner = owner.#taken.by) {
      before.push(owner.#taken.before);
      after.push(owner.#taken.after);
    }
    this.leaves = [...before, owner.leaves, ...after.reverse()].flat();
    this.#taken = undefined;
  }

  /** The line as text with its line break (Black: `str(line)`). */
  render(): string {
    return `${this.renderBare()}\n`;
  }

  /** The line as text without the line break. */
  renderBare(): string {
    return renderLine(this);
  }

  isEmpty(): boolean {
    return this.leaves.length === 0 && this.comments === undefined;
  }

  isComment(): boolean {
    return this.leaves.length === 1 && this.tree.kind[this.leaves[0]!] === Kind.STANDALONE_COMMENT;
  }

  isDecorator(): boolean {
    return lineShape.decorator(this);
  }

  isImport(): boolean {
    return lineShape.importStatement(this);
  }

  isWithOrAsyncWithStmt(): boolean {
    return lineShape.withStatement(this);
  }

  isClass(): boolean {
    return lineShape.classDefinition(this);
  }

  isStubClass(): boolean {
    return this.isClass() && lineShape.endsWithEllipsis(this);
  }

  isDef(): boolean {
    return lineShape.functionDefinition(this);
  }

  isStubDef(): boolean {
    if (!this.isDef() || this.leaves.length < 4 || !lineShape.endsWithEllipsis(this)) return false;
    return this.tree.kind[this.leaves[this.leaves.length - 4]!] === Kind.COLON;
  }

  /** A class with parentheses that hold nothing: they are dropped. */
  isClassParenEmpty(): boolean {
    if (this.leaves.length !== 4 || !this.isClass()) return false;
    const tree = this.tree;
    const opening = this.leaves[2]!;
    const closing = this.leaves[3]!;
    if (tree.kind[opening] !== Kind.LPAR || tree.kind[closing] !== Kind.RPAR) return false;
    return tree.textLength(opening) > 0 && tree.textLength(closing) > 0;
  }

  isTripleQuotedString(): boolean {
    return lineShape.tripleQuotedString(this);
  }

  isDocstring(): boolean {
    return lineShape.docstring(this);
  }

  isChainedAssignment(): boolean {
    let equals = 0;
    this.#hasFewEquals ||= !this.leaves.some((leaf) => this.tree.kind[leaf] === Kind.EQUAL && ++equals > 1);
    return !this.#hasFewEquals;
  }

  opensBlock(): boolean {
    return this.leaves.length > 0 && this.tree.kind[this.leaves[this.leaves.length - 1]!] === Kind.COLON;
  }

  containsStandaloneComments(): boolean {
    return this.#hasStandaloneComment;
  }

  containsMultilineStrings(): boolean {
    if (!this.hasString) return false;
    const flags = this.tree.textFlags;
    for (const leaf of this.leaves) {
      if ((flags[leaf]! & TextFlag.MULTILINE) !== 0 && isMultilineString(this.tree, leaf)) return true;
    }
    return false;
  }

  containsImplicitMultilineStringWithComments(): boolean {
    return this.comments !== undefined && typeComments.hasCommentInsideConcatenation(this);
  }

  containsUncollapsableTypeComments(): boolean {
    return this.comments !== undefined && typeComments.hasUncollapsableTypeComments(this, this.comments);
  }

  containsUnsplittableTypeIgnore(): boolean {
    return this.comments !== undefined && typeComments.hasUnsplittableTypeIgnore(this);
  }

  containsMultipleTypeIgnoresAtCurrentDepth(): boolean {
    return this.comments !== undefined && typeComments.hasMultipleTypeIgnores(this);
  }

  /** Index of the first leaf of a kind, -1 when there is none. */
  indexOfKind(kind: number): number {
    return lineView.indexOfKind(this, kind);
  }

  countOfKind(kind: number): number {
    const kinds = this.tree.kind;
    let count = 0;
    for (const leaf of this.leaves) if (kinds[leaf] === kind) count++;
    return count;
  }

  /** White space asks about the subscript only around colons and directly within a slice. */
  #needsSubscriptSpace(leaf: number, kind: number): boolean {
    if (!this.tracker.anyOpenBrackets()) return false;
    const tree = this.tree;
    const parent = tree.parent[leaf]!;
    const parentKind = parent === NONE ? NONE : tree.kind[parent];
    const before = tree.kind[this.leaves[this.leaves.length - 1]!];
    const isNearSlice =
      kind === Kind.COLON ||
      parentKind === Kind.subscript ||
      parentKind === Kind.sliceop ||
      before === Kind.COLON ||
      before === Kind.STANDALONE_COMMENT; // behind a colon, perhaps
    return isNearSlice && this.isComplexSubscript(leaf);
  }

  #honourTrailingComma(closing: number): void {
    if (this.mode.magicTrailingComma) {
      this.magicTrailingComma = closing;
      if (this.#isHead) {
        this.#magicCommas ??= [];
        this.#magicCommas.push(closing);
      }
    } else if (!isRequiredTupleComma(this.tree, closing)) {
      this.removeTrailingComma();
    }
  }

  #attach(leaf: number, comment: number): void {
    this.comments ??= new Map();
    const attached = this.comments.get(leaf);
    if (attached === undefined) this.comments.set(leaf, [comment]);
    else attached.push(comment);
  }
}
