import type { Line } from "../line.ts";
import type { ParenthesesContext } from "../parentheses/normalize.ts";

/** What a rule may do while the tree is walked; `LineGenerator` implements it. */
export interface Generation extends ParenthesesContext {
  /** The line that leaves are being added to. */
  readonly current: Line;
  /** Ends the current line, if there is anything on it, and starts one that is `indent` levels deeper. */
  line(indent?: number): void;
  /** Takes note of a string that counts as one leaf from the end of the current line on. */
  noteExpressionString(leaf: number): void;
  /** Visits one leaf or node with the rule for its kind. */
  visit(id: number): void;
  /**
   * Emits the line of the source from the leaf `first` up to offset `end` as it stands; does nothing and returns
   * false where it is not printed so. `last` is the colon of a line that opens a block, otherwise any leaf of the line.
   */
  emitVerbatim(first: number, last: number, end: number): boolean;
  /** Adds a leaf to the current line, or visits the children of a node. */
  visitDefault(id: number): void;
}

/** The rule for one kind of leaf or node. */
export type Visitor = (generator: Generation, id: number) => void;
