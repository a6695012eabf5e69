import type { Tree } from "../../syntax/tree.ts";
import { SourceSyntaxError } from "./source-syntax-error.ts";

/** What stands between tokens, comments apart: a backslash ends its line, and a vertical tab is no space. */
export function checkGap(tree: Tree, leaf: number): void {
  const start = tree.prefixStart[leaf]!;
  const gap = tree.source
    .slice(start, tree.prefixEnd[leaf]!)
    .replace(/#[^\n]*/g, (comment) => " ".repeat(comment.length));
  if (gap.includes("\v"))
    throw new SourceSyntaxError("invalid non-printable character U+000B", tree.line[leaf]!, "tokenizer");
  const backslash = gap.search(/\\[^\n]/);
  if (backslash === -1) return;
  const line = tree.source.slice(0, start + backslash).split("\n").length;
  throw new SourceSyntaxError("unexpected character after line continuation character", line, "indentation");
}
