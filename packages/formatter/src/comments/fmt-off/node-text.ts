/** Code as it stands in the source, where parts of it are kept already (`comments.py` _handle_regular_fmt_block). */
import { BrokenTreeError, EMPTY_NODE } from "../../syntax/broken-tree-error.ts";
import { isClosingBracket, Kind } from "../../syntax/kinds.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";

/** The nodes' text with their prefixes (`str(node)`); a kept block ends its line. */
export function textOfNodes(tree: Tree, nodes: readonly number[]): string {
  let text = "";
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!;
    if (tree.kind[node] === Kind.STANDALONE_COMMENT)
      text += textOfKeptBlock(tree, node, nodes[i + 1] ?? NONE);
    else if (tree.isLeaf(node)) text += textOfLeaf(tree, node);
    else text += textOfNode(tree, node);
  }
  return text;
}

function textOfLeaf(tree: Tree, leaf: number): string {
  return tree.prefix(leaf) + tree.text(leaf);
}

function textOfKeptBlock(tree: Tree, leaf: number, next: number): string {
  const text = textOfLeaf(tree, leaf);
  if (text.endsWith("\n")) return text;
  const isLast =
    next === NONE || tree.kind[next] === Kind.STANDALONE_COMMENT || tree.prefix(next).includes("\n");
  return isLast ? `${text}\n` : text;
}

function textOfNode(tree: Tree, node: number): string {
  let text = "";
  const leaves = tree.leaves(node);
  if (leaves.some((leaf) => tree.kind[leaf] === Kind.STANDALONE_COMMENT) && holdsEmptyNode(tree, node))
    throw new BrokenTreeError(EMPTY_NODE);
  for (const leaf of leaves) {
    text +=
      tree.kind[leaf] === Kind.STANDALONE_COMMENT ? textOfNestedBlock(tree, leaf) : textOfLeaf(tree, leaf);
  }
  return text;
}

/** Whether an earlier directive has taken all that a node below this one held. */
function holdsEmptyNode(tree: Tree, node: number): boolean {
  return tree
    .children(node)
    .some((child) => !tree.isLeaf(child) && (tree.first[child] === NONE || holdsEmptyNode(tree, child)));
}

/** A kept block within a node ends its line; before a closing bracket a line break before its last comment goes. */
function textOfNestedBlock(tree: Tree, leaf: number): string {
  let text = textOfLeaf(tree, leaf);
  const next = tree.next[leaf]!;
  if (next !== NONE && isClosingBracket(tree.kind[next]!) && tree.text(leaf).includes("\n")) {
    text = withoutBreakBeforeComment(text);
  }
  return text.endsWith("\n") ? text : `${text}\n`;
}

/** `_remove_preceding_newline_for_comment`. */
function withoutBreakBeforeComment(text: string): string {
  const lineStart = text.lastIndexOf("\n") + 1;
  const comment = text.indexOf("#", lineStart);
  if (comment === -1) return text;
  const newline = comment === 0 ? -1 : text.lastIndexOf("\n", comment - 1);
  if (
    newline === -1 ||
    !text
      .slice(newline + 1)
      .trimStart()
      .startsWith("#")
  )
    return text;
  return text.slice(0, newline) + text.slice(newline + 1);
}
