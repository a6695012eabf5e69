import { leafWidth } from "../lines/leaf-size.ts";
import { indentWidth } from "../lines/line/indent-width.ts";
import type { Line } from "../lines/line.ts";
import { Kind } from "../syntax/kinds.ts";
import { LINE_BREAK } from "../syntax/leaf-space.ts";
import { TextFlag, type Tree } from "../syntax/tree.ts";
import { stringWidth } from "../util/width.ts";
import { multilineStringMayStay } from "./multiline-string.ts";

/** Columns of four per indentation level. */
export const INDENT_WIDTH = 4;

/**
 * Whether the line needs no split for its width; with a multi-line string in it, what stands around the string
 * decides as well (Black: is_line_short_enough).
 *
 * `shown` is the line as it would be printed where that differs from `line`. Widths are summed up leaf by leaf:
 * no text is made.
 */
export function isLineShortEnough(line: Line, lineLength: number, shown: Line = line): boolean {
  const { tree, leaves } = shown;
  let width = indentWidth(shown.depth);
  for (let i = 0; i < leaves.length; i++) {
    const leaf = leaves[i]!;
    if ((tree.textFlags[leaf]! & TextFlag.MULTILINE) !== 0 || tree.space[leaf]! >= LINE_BREAK) {
      return isMultilineShortEnough(line, lineLength, shown, i, width);
    }
    if (tree.kind[leaf] === Kind.STANDALONE_COMMENT) return false;
    width += leafWidth(tree, leaf);
    if (width > lineLength) return false;
  }
  return width + commentsWidth(shown) <= lineLength;
}

/**
 * Whether the first `end` leaves alone are certainly too long for a line, told without making a line of them. What has
 * a line break in it is left to `isLineShortEnough`.
 */
export function isStartTooLong(line: Line, end: number, lineLength: number): boolean {
  const { tree, leaves } = line;
  let width = indentWidth(line.depth);
  for (let i = 0; i < end; i++) {
    const leaf = leaves[i]!;
    if ((tree.textFlags[leaf]! & TextFlag.MULTILINE) !== 0 || tree.space[leaf]! >= LINE_BREAK) return false;
    width += leafWidth(tree, leaf);
    if (width > lineLength) return true;
  }
  return false;
}

/** `isLineShortEnough` for a line that reads as `text`. */
export function isTextShortEnough(line: Line, text: string, lineLength: number): boolean {
  if (line.containsStandaloneComments()) return false;
  const end = text.indexOf("\n");
  if (end === -1) return stringWidth(text) <= lineLength;
  const last = text.slice(text.lastIndexOf("\n") + 1);
  if (stringWidth(text.slice(0, end)) > lineLength || stringWidth(last) > lineLength) return false;
  return multilineStringMayStay(line);
}

/** Columns that all comments of a line add to its end. */
function commentsWidth(line: Line): number {
  if (line.comments === undefined) return 0;
  let width = 0;
  for (const comments of line.comments.values()) {
    for (const comment of comments) width += leafWidth(line.tree, comment);
  }
  return width;
}

/** The rest of `isLineShortEnough` from the leaf at `index` on, the first one with a line break in its text or before it. */
function isMultilineShortEnough(
  line: Line,
  lineLength: number,
  shown: Line,
  index: number,
  widthBefore: number,
): boolean {
  const { tree, leaves } = shown;
  if (line.containsStandaloneComments()) return false;
  if (widthBefore + widthToBreak(tree, leaves[index]!) > lineLength) return false;
  let last = 0;
  for (let i = index; i < leaves.length; i++) last = widthAfter(tree, leaves[i]!, last);
  if (last + commentsWidth(shown) > lineLength) return false;
  return multilineStringMayStay(line);
}

/** Columns that a leaf with a line break adds before the break. */
function widthToBreak(tree: Tree, leaf: number): number {
  const space = tree.space[leaf]!;
  if (space >= LINE_BREAK) return 0;
  const text = tree.text(leaf);
  return space + stringWidth(text.slice(0, text.indexOf("\n")));
}

/** Columns of the last physical line once the leaf is added to a line with `width` columns. */
function widthAfter(tree: Tree, leaf: number, width: number): number {
  if ((tree.textFlags[leaf]! & TextFlag.MULTILINE) === 0) {
    return leafWidth(tree, leaf) + (tree.space[leaf]! < LINE_BREAK ? width : 0);
  }
  const text = tree.text(leaf);
  return stringWidth(text.slice(text.lastIndexOf("\n") + 1));
}
