/** Code kept by `# fmt: off` and comments of their own (`linegen.py` visit_STANDALONE_COMMENT). */
import { containsFmtDirective, FMT_ANY, FMT_OFF, FMT_ON } from "../../comments/directives.ts";
import { generateComments } from "../../comments/generate-comments.ts";
import { isEmptyLpar } from "../../syntax/predicates/brackets.ts";
import { PrefixFlag, type Tree } from "../../syntax/tree.ts";
import { splitlines, strip } from "../../util/python-text.ts";
import { startLineAt } from "./line-start.ts";
import type { Generation } from "./visitor.ts";

export function visitStandaloneComment(generator: Generation, leaf: number): void {
  const { tree } = generator;
  const inBrackets = generator.current.tracker.anyOpenBrackets();
  if (!inBrackets) generator.line();
  if (!isWholeBlock(tree, leaf)) {
    generator.visitDefault(leaf);
    return;
  }
  const { leaves } = generator.current;
  const isAfterInvisibleLpar =
    leaves.length === 1 && isEmptyLpar(tree, leaves[0]!) && !tree.keptCode.has(leaf);
  if (hasOtherComments(tree, leaf)) {
    for (const comment of generateComments(tree, leaf, true)) {
      generator.line();
      generator.current.append(comment);
      generator.line();
    }
    tree.setPrefix(leaf, "");
  }
  // The prefix is taken as it is, or the block would lose its indentation.
  startLineAt(tree, leaf, tree.prefix(leaf));
  generator.current.append(leaf);
  if (!inBrackets || isAfterInvisibleLpar) generator.line();
}

/** Whether the text runs from a line with `# fmt: off` to one with `# fmt: on`. */
function isWholeBlock(tree: Tree, leaf: number): boolean {
  const lines = splitlines(tree.text(leaf));
  return (
    lines.length >= 2 &&
    containsFmtDirective(lines[0]!, FMT_OFF) &&
    containsFmtDirective(lines[lines.length - 1]!, FMT_ON)
  );
}

/** Whether the prefix holds a comment that is no directive. */
function hasOtherComments(tree: Tree, leaf: number): boolean {
  if ((tree.prefixFlags[leaf]! & PrefixFlag.COMMENT) === 0) return false;
  for (const line of tree.prefix(leaf).split("\n")) {
    const text = strip(line);
    if (text.startsWith("#") && !containsFmtDirective(text, FMT_ANY)) return true;
  }
  return false;
}
