/** F-strings and t-strings taken apart, for the rules that come before Black's `visit_fstring` makes one leaf of each. */
import type { Tree } from "../syntax/tree.ts";
import { TokenBuffer } from "../tokenize/token-buffer.ts";
import { Tokenizer } from "../tokenize/tokenizer.ts";
import { Parser } from "./parser.ts";
import { parseStrings } from "./strings.ts";

/** Hardly any source needs it; used again for every string. */
let buffer: TokenBuffer | undefined;

/** An unlinked `fstring` node of the parts of an INTERPOLATED leaf that still has its text from the source. */
export function partsOfString(tree: Tree, leaf: number): number {
  const start = tree.start[leaf]!;
  buffer ??= new TokenBuffer();
  new Tokenizer(tree.source.slice(start, tree.end[leaf]!), buffer).run();
  for (let i = 0; i < buffer.count; i++) {
    buffer.starts[i]! += start;
    buffer.ends[i]! += start;
    buffer.lines[i]! += tree.line[leaf]! - 1;
  }
  const node = parseStrings(new Parser(tree, buffer, true, true));
  const opening = tree.firstLeaf(node);
  tree.prefixStart[opening] = tree.prefixStart[leaf]!;
  tree.prefixEnd[opening] = tree.prefixEnd[leaf]!;
  tree.prefixFlags[opening] = tree.prefixFlags[leaf]!;
  if (!tree.isSourcePrefix(leaf)) tree.setPrefix(opening, tree.prefix(leaf));
  return node;
}
