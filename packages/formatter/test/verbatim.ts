/** What tests of the short cut for formatted statements share. */
import { format } from "../src/format/format-string.ts";
import { switchVerbatim, VerbatimReader } from "../src/lines/verbatim/verbatim-reader.ts";
import { parse } from "../src/parse/parse.ts";
import { TextFlag } from "../src/syntax/tree.ts";

/** Columns that a line may have. */
export const WIDTH = 50;

/** The lines of a source that are found to be printed as they stand. */
export function verbatimLines(source: string): string[] {
  const found: string[] = [];
  const { tree, root } = parse(source, [], new VerbatimReader(WIDTH, true));
  for (const leaf of tree.leaves(root)) {
    if ((tree.textFlags[leaf]! & TextFlag.VERBATIM) === 0) continue;
    const start = tree.start[leaf]!;
    found.push(tree.source.slice(start, tree.source.indexOf("\n", start)));
  }
  tree.release();
  return found;
}

/** What the long way makes of the source. */
export function formatTheLongWay(source: string): string {
  switchVerbatim(false);
  try {
    return format(source, { lineLength: WIDTH });
  } finally {
    switchVerbatim(true);
  }
}
