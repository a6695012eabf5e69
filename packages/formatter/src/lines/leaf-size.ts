import { LINE_BREAK, spaceLength } from "../syntax/leaf-space.ts";
import { TextFlag, type Tree } from "../syntax/tree.ts";
import { strip } from "../util/python-text.ts";
import { codePointLength, stringWidth } from "../util/width.ts";
import type { Line } from "./line.ts";

/** Code points in the leaf's text (Black: `len(leaf.value)`). */
export function textCodePoints(tree: Tree, leaf: number): number {
  if ((tree.textFlags[leaf]! & TextFlag.NON_ASCII) === 0) return tree.textLength(leaf);
  return codePointLength(tree.text(leaf));
}

/** Code points in the leaf's text and the space before it (Black: `len(str(leaf))`). */
export function leafCodePoints(tree: Tree, leaf: number): number {
  return spaceLength(tree.space[leaf]!) + textCodePoints(tree, leaf);
}

/** Columns of the leaf's text and the spaces before it (Black: `str_width(str(leaf))`). */
export function leafWidth(tree: Tree, leaf: number): number {
  const space = tree.space[leaf]! % LINE_BREAK;
  if ((tree.textFlags[leaf]! & TextFlag.NON_ASCII) === 0) return space + tree.textLength(leaf);
  return space + stringWidth(tree.text(leaf));
}

/**
 * Whether nothing of the leaf is printed (Black: `not leaf.value.strip()`). White space beyond ASCII is part of names in
 * blib2to3's tokens, and may be all of one.
 */
export function isBlank(tree: Tree, leaf: number): boolean {
  if (tree.textLength(leaf) === 0) return true;
  return (tree.textFlags[leaf]! & TextFlag.NON_ASCII) !== 0 && strip(tree.text(leaf)) === "";
}

/** What `measuredLength` returns for a leaf that holds a line break: lengths end there. */
export const UNMEASURABLE = -1;

/**
 * Code points of the leaf with the space before it and the comments after it, or `UNMEASURABLE`
 * (Black: one step of Line.enumerate_with_length).
 */
export function measuredLength(line: Line, leaf: number): number {
  const tree = line.tree;
  if ((tree.textFlags[leaf]! & TextFlag.MULTILINE) !== 0) return UNMEASURABLE;
  let length = leafCodePoints(tree, leaf);
  if (line.comments !== undefined) {
    for (const comment of line.commentsAfter(leaf)) length += textCodePoints(tree, comment);
  }
  return length;
}
