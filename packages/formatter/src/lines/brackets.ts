import { BrokenTreeError } from "../syntax/broken-tree-error.ts";
import { kindSet } from "../syntax/kind-set.ts";
import { isClosingBracket, isOpeningBracket, Kind } from "../syntax/kinds.ts";
import { isArgumentComma } from "../syntax/predicates/brackets.ts";
import { NONE, type Tree } from "../syntax/tree.ts";
import { possibleDelimiters, splitPriorityAfter, splitPriorityBefore } from "./delimiters.ts";
import { DwindlingList } from "./dwindling-list.ts";
import { TooManyBracketsError } from "./too-many-brackets-error.ts";

/** Stands for "no entries yet" in every tracker, so that a line without brackets allocates nothing. */
const EMPTY: number[] = [];

/**
 * Bracket depth, open brackets and delimiters of one line while leaves are added (Black: BracketTracker).
 *
 * `delimiterLeaves[i]` is a leaf at depth 0 after which the line may break, with the priority
 * `delimiterPriorities[i]`; both are in line order. Depth and matching bracket of a leaf are written into the tree.
 */
export class BracketTracker {
  depth = 0;
  /** The leaf marked last; `NONE` at the start of the line. */
  previous: number = NONE;
  delimiterLeaves: number[] = EMPTY;
  delimiterPriorities: number[] = EMPTY;
  /** Parentheses that are printed by now, but were not when the line was made in Black. */
  printed: readonly number[] = EMPTY;
  /** Whether the pair closed last holds one element, with or without a comma; false for one that was opened elsewhere. */
  closedOneElement = false;

  readonly #tree: Tree;
  readonly #maxOpen: number;
  #openKeys: number[] = EMPTY;
  #openLeaves: number[] = EMPTY;
  /** Commas directly within each open bracket. */
  #openCommas: number[] = EMPTY;
  #forLoopDepths: number[] = EMPTY;
  #lambdaArgumentDepths: number[] = EMPTY;
  /** Parentheses without text among the marked leaves. */
  #invisible: DwindlingList | undefined = undefined;
  #outermost: DwindlingList | undefined = undefined;

  /** @param maxOpen brackets that may be open at once */
  constructor(tree: Tree, maxOpen = Number.POSITIVE_INFINITY) {
    this.#tree = tree;
    this.#maxOpen = maxOpen;
  }

  /**
   * Takes note of the next leaf: its depth, its matching bracket, whether the line may break around it.
   * @throws {BrokenTreeError} when a closing bracket fits no open one
   * @throws {TooManyBracketsError} when there are more open than may be
   */
  mark(leaf: number): void {
    const tree = this.#tree;
    const kind = tree.kind[leaf]!;
    if (remarkable[kind] === 0) {
      tree.depth[leaf] = this.depth;
      this.previous = leaf;
      return;
    }
    if (kind === Kind.COMMENT) return;
    const closing = isClosingBracket(kind);
    // A line that continues after an earlier break may start with the closing bracket of that break.
    if (closing && this.depth === 0 && this.#findOpen(0, kind) === -1) {
      this.closedOneElement = false;
      return;
    }
    if (kind === Kind.KW_IN) this.#leaveForLoopVariable();
    else if (kind === Kind.COLON) this.#leaveLambdaArguments();
    if (closing) this.#close(leaf, kind);
    else if (kind === Kind.COMMA) this.#countComma(leaf);
    tree.depth[leaf] = this.depth;
    if (this.depth === 0 && possibleDelimiters[kind] !== 0) this.#noteDelimiter(leaf);
    if (isOpeningBracket(kind)) this.#open(leaf, kind);
    this.previous = leaf;
    if (kind === Kind.KW_LAMBDA) this.#lambdaArgumentDepths = push(this.#lambdaArgumentDepths, ++this.depth);
    else if (kind === Kind.KW_FOR) this.#forLoopDepths = push(this.#forLoopDepths, ++this.depth);
  }

  /** Whether the variables of a `for` or the arguments of a `lambda` are not over yet. */
  anyOpenForOrLambda(): boolean {
    return this.#forLoopDepths.length > 0 || this.#lambdaArgumentDepths.length > 0;
  }

  /** Whether there is neither a delimiter nor anything that is still open. */
  isPlain(): boolean {
    if (this.delimiterLeaves.length > 0) return false;
    return this.depth === 0 && !this.anyOpenBrackets() && !this.anyOpenForOrLambda();
  }

  /**
   * Takes over the unprinted parentheses of a tracker, but for those among the leaves that go, its last ones, and those
   * that are printed by now, which stand near them.
   */
  takeInvisible(other: BracketTracker, gone: ReadonlySet<number>, shown: ReadonlySet<number>): void {
    this.printed = other.printed.filter((bracket) => !gone.has(bracket));
    this.#invisible = other.#invisible;
    this.#invisible?.takeOut(gone, shown);
    other.#invisible = undefined;
    this.#outermost = other.#outermost;
    this.#outermost?.takeOut(gone, shown);
    other.#outermost = undefined;
  }

  /** Whether there are parentheses without text among the marked leaves, or some that had none. */
  get hasOptional(): boolean {
    return this.printed.length > 0 || this.#invisible?.isEmpty === false;
  }

  /** Parentheses without text outside brackets; found once, since in a chain of assignments each line has most of them. */
  outermostInvisible(): DwindlingList {
    const { depth } = this.#tree;
    this.#outermost ??= (this.#invisible ?? new DwindlingList([])).filter((bracket) => depth[bracket] === 0);
    return this.#outermost;
  }

  /** Depths of marked leaves have changed. */
  forgetOutermost(): void {
    this.#outermost = undefined;
  }

  anyOpenBrackets(): boolean {
    return this.#openLeaves.length > 0;
  }

  /** The `[` that is the innermost open bracket; `NONE` when there is none. */
  openSquareBracket(): number {
    const at = this.#findOpen(this.depth - 1, Kind.RSQB);
    return at === -1 ? NONE : this.#openLeaves[at]!;
  }

  /** The highest delimiter priority of the line, leaving out the leaf `exclude`; 0 when there is no delimiter. */
  maxDelimiterPriority(exclude: number = NONE): number {
    const priorities = this.delimiterPriorities;
    let highest = 0;
    for (let i = 0; i < priorities.length; i++) {
      if (priorities[i]! > highest && this.delimiterLeaves[i] !== exclude) highest = priorities[i]!;
    }
    return highest;
  }

  delimiterCountWithPriority(priority: number): number {
    let count = 0;
    for (const other of this.delimiterPriorities) if (other === priority) count++;
    return count;
  }

  /** The priority of the delimiter at `leaf`; 0 when the leaf is none. */
  priorityOf(leaf: number): number {
    const at = this.delimiterLeaves.indexOf(leaf);
    return at === -1 ? 0 : this.delimiterPriorities[at]!;
  }

  #noteDelimiter(leaf: number): void {
    const before = splitPriorityBefore(this.#tree, leaf, this.previous);
    if (before !== 0 && this.previous !== NONE) {
      this.#setDelimiter(this.previous, before);
      return;
    }
    const after = splitPriorityAfter(this.#tree, leaf);
    if (after !== 0) this.#setDelimiter(leaf, after);
  }

  #setDelimiter(leaf: number, priority: number): void {
    const last = this.delimiterLeaves.length - 1;
    if (last >= 0 && this.delimiterLeaves[last] === leaf) {
      this.delimiterPriorities[last] = priority;
      return;
    }
    this.delimiterLeaves = push(this.delimiterLeaves, leaf);
    this.delimiterPriorities = push(this.delimiterPriorities, priority);
  }

  #open(leaf: number, kind: number): void {
    if (this.#openLeaves.length >= this.#maxOpen) throw new TooManyBracketsError();
    this.#openKeys = push(this.#openKeys, openKey(this.depth, kind + (Kind.RPAR - Kind.LPAR)));
    this.#openLeaves = push(this.#openLeaves, leaf);
    this.#openCommas = push(this.#openCommas, 0);
    this.depth++;
    if (this.#tree.textLength(leaf) === 0) this.#noteInvisible(leaf);
  }

  #close(leaf: number, kind: number): void {
    this.depth--;
    const at = this.#findOpen(this.depth, kind);
    if (at === -1) {
      throw new BrokenTreeError(
        `Unable to match a closing bracket to the following opening bracket: ${this.#tree.text(leaf)}`,
      );
    }
    const opening = this.#openLeaves[at]!;
    this.closedOneElement = this.#openCommas[at]! < 2;
    if (at === this.#openLeaves.length - 1) {
      this.#openKeys.pop();
      this.#openLeaves.pop();
      this.#openCommas.pop();
    } else {
      this.#openKeys.splice(at, 1);
      this.#openLeaves.splice(at, 1);
      this.#openCommas.splice(at, 1);
    }
    this.#tree.mate[leaf] = opening;
    this.#tree.mate[opening] = leaf;
    if (this.#tree.textLength(leaf) === 0) this.#noteInvisible(leaf);
  }

  #noteInvisible(leaf: number): void {
    this.#invisible ??= new DwindlingList([]);
    this.#invisible.push(leaf);
  }

  /** A comma of arguments or parameters counts as two: they are never one element. */
  #countComma(leaf: number): void {
    let at = this.#openKeys.length - 1;
    while (at >= 0 && this.#openKeys[at]! >= openKey(this.depth, 0)) at--;
    // Deeper than right behind the bracket are the arguments of a lambda and what is not over yet of a `for`.
    if (at >= 0 && this.#openKeys[at]! >= openKey(this.depth - 1, 0))
      this.#openCommas[at]! += isArgumentComma(this.#tree, leaf) ? 2 : 1;
  }

  /** Index of the open bracket at `depth` that `closingKind` would close, -1 when there is none. */
  #findOpen(depth: number, closingKind: number): number {
    const key = openKey(depth, closingKind);
    for (let i = this.#openKeys.length - 1; i >= 0; i--) {
      if (this.#openKeys[i] === key) return i;
      // Brackets open at growing depths: nothing further down can have this one.
      if (this.#openKeys[i]! < openKey(depth, 0)) return -1;
    }
    return -1;
  }

  #leaveForLoopVariable(): void {
    const depths = this.#forLoopDepths;
    if (depths.length === 0 || depths[depths.length - 1] !== this.depth) return;
    this.depth--;
    depths.pop();
  }

  #leaveLambdaArguments(): void {
    const depths = this.#lambdaArgumentDepths;
    if (depths.length === 0 || depths[depths.length - 1] !== this.depth) return;
    this.depth--;
    depths.pop();
  }
}

/** Kinds of brackets, of what can be a delimiter and of what changes the depth: those of few leaves. */
const remarkable = kindSet(
  [
    ...[Kind.LPAR, Kind.LSQB, Kind.LBRACE, Kind.RPAR, Kind.RSQB, Kind.RBRACE],
    ...[Kind.COMMENT, Kind.KW_IN, Kind.COLON, Kind.KW_LAMBDA, Kind.KW_FOR],
  ],
  possibleDelimiters,
);

function openKey(depth: number, closingKind: number): number {
  return depth * 256 + closingKind;
}

/** Adds to a list that may still be the shared empty one; returns the list to keep. */
function push(list: number[], value: number): number[] {
  if (list === EMPTY) return [value];
  list.push(value);
  return list;
}
