import type { Tree } from "../../syntax/tree.ts";
import { SourceSyntaxError } from "./source-syntax-error.ts";

/** What stands between tokens, comments apart: a backslash ends its line, and a vertical tab is no space. */
export function checkGap(tree: Tree, leaf: number): void {
  const gap = tree.source.slice(tree.prefixStart[leaf]!, tree.prefixEnd[leaf]!).replace(/#[^\n]*/g, "");
  if (gap.includes("\v"))
    throw new SourceSyntaxError("invalid non-printable character U+000B", tree.line[leaf]!, "tokenizer");
  if (/\\[^\n]/.test(gap))
    throw new SourceSyntaxError(
      "unexpected character after line continuation character",
      tree.line[leaf]!,
      "tokenizer",
    );
}
