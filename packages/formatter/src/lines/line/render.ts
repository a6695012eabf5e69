import { spaceLength, spaceText } from "../../syntax/leaf-space.ts";
import type { Tree } from "../../syntax/tree.ts";
import { indentWidth } from "./indent-width.ts";
import type { LineView } from "./line-view.ts";

const SPACE = 0x20;

/** The line as text without a line break: indent, leaves, then all comments (Black: `Line.__str__`). */
export function renderLine(line: LineView): string {
  const { tree, leaves } = line;
  if (leaves.length === 0) return "";
  const text =
    spaceText(tree.space[leaves[0]!]!) + " ".repeat(indentWidth(line.depth)) + renderLeaves(tree, leaves);
  return line.comments === undefined ? text : text + renderComments(tree, line.comments);
}

/**
 * The leaves and the spaces between them. Leaves that stand in the source with just those spaces between them are
 * copied as one range: most lines of formatted code are.
 */
function renderLeaves(tree: Tree, leaves: readonly number[]): string {
  const source = tree.source;
  let text = "";
  /** The range of the source that is to be copied next. */
  let from = 0;
  let to = 0;
  /** Spaces due before the next leaf that has text. */
  let spaces = -tree.space[leaves[0]!]!;
  for (let i = 0; i < leaves.length; i++) {
    const leaf = leaves[i]!;
    spaces += tree.space[leaf]!;
    if (tree.textLength(leaf) === 0) continue;
    const start = tree.start[leaf]!;
    if (tree.isSourceText(leaf)) {
      if (from < to && start - to === spaces && isSpaces(source, to, start)) {
        to = tree.end[leaf]!;
      } else {
        text += source.slice(from, to) + spaceText(spaces);
        from = start;
        to = tree.end[leaf]!;
      }
    } else {
      text += source.slice(from, to) + spaceText(spaces) + tree.text(leaf);
      from = to = 0;
    }
    spaces = 0;
  }
  return text + source.slice(from, to) + spaceText(spaces);
}

/**
 * Where the line stands in the source just as `renderLine` would print it: the offset of its first character; -1 where
 * it does not. It ends with the last leaf that has text. Spares most lines of formatted code a text of their own.
 */
export function renderedInSource(line: LineView): number {
  const { tree, leaves } = line;
  if (line.comments !== undefined) return -1;
  let from = -1;
  let to = 0;
  let spaces = 0;
  for (let i = 0; i < leaves.length; i++) {
    const leaf = leaves[i]!;
    spaces += tree.space[leaf]!;
    if (tree.textLength(leaf) === 0) continue;
    if (!tree.isSourceText(leaf)) return -1;
    const start = tree.start[leaf]!;
    if (from === -1) {
      from = start - indentWidth(line.depth) - spaces;
      if (from < 0 || !isSpaces(tree.source, from, start)) return -1;
    } else if (start - to !== spaces || !isSpaces(tree.source, to, start)) return -1;
    to = tree.end[leaf]!;
    spaces = 0;
  }
  return spaces === 0 ? from : -1;
}

function isSpaces(source: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (source.charCodeAt(i) !== SPACE) return false;
  return true;
}

/** UTF-16 units that `renderLine` would return, counted without making the text. */
export function renderedLength(line: LineView): number {
  const { tree, leaves } = line;
  let length = indentWidth(line.depth);
  for (const leaf of leaves) length += spaceLength(tree.space[leaf]!) + tree.textLength(leaf);
  if (line.comments === undefined) return length;
  for (const attached of line.comments.values()) {
    for (const comment of attached) length += tree.space[comment]! + tree.textLength(comment);
  }
  return length;
}

function renderComments(tree: Tree, comments: ReadonlyMap<number, readonly number[]>): string {
  let text = "";
  for (const attached of comments.values()) {
    for (const comment of attached) text += spaceText(tree.space[comment]!) + tree.text(comment);
  }
  return text;
}
