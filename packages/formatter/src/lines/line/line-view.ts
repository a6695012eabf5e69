import { Kind } from "../../syntax/kinds.ts";
import type { Tree } from "../../syntax/tree.ts";

/** What the questions about a line read of it. */
export interface LineView {
  readonly tree: Tree;
  /** Indentation level. */
  readonly depth: number;
  readonly leaves: readonly number[];
  readonly comments: ReadonlyMap<number, readonly number[]> | undefined;
}

const NO_COMMENTS: readonly number[] = [];

/** The comments printed after `leaf` (Black: comments_after). */
export function commentsAfter(line: LineView, leaf: number): readonly number[] {
  if (line.comments === undefined) return NO_COMMENTS;
  return line.comments.get(leaf) ?? NO_COMMENTS;
}

/** Index of the first leaf of a kind, -1 when there is none. */
export function indexOfKind(line: LineView, kind: number): number {
  const kinds = line.tree.kind;
  for (let i = 0; i < line.leaves.length; i++) if (kinds[line.leaves[i]!] === kind) return i;
  return -1;
}

/** Whether a comment on a line of its own is among the leaves. */
export function containsStandaloneComments(line: LineView): boolean {
  return indexOfKind(line, Kind.STANDALONE_COMMENT) !== -1;
}
