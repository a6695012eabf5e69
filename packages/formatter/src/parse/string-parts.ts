/** F-strings and t-strings taken apart, for the rules that come before Black's `visit_fstring` makes one leaf of each. */
import type { Tree } from "../syntax/tree.ts";
import { laxScanner, type TextScanner } from "../tokenize/interpolation.ts";
import { strictScanner } from "../tokenize/strict-interpolation.ts";
import { TokenBuffer } from "../tokenize/token-buffer.ts";
import { TokenKind } from "../tokenize/token-kind.ts";
import { Tokenizer } from "../tokenize/tokenizer.ts";
import { Parser, SyntaxFailure } from "./parser.ts";
import { parseStrings } from "./strings.ts";

/** Hardly any source needs it; used again for every string. */
let buffer: TokenBuffer | undefined;

/** An f-string or t-string that Black's parser takes and Python's does not. */
export class StringPartsError extends Error {
  override readonly name = "StringPartsError";
  /** 1-based. */
  readonly line: number;
  /** Whether no grammar has been asked. */
  readonly isFromTokenizer: boolean;

  constructor(reason: string, line: number, isFromTokenizer: boolean) {
    super(reason);
    this.line = line;
    this.isFromTokenizer = isFromTokenizer;
  }
}

/** An unlinked `fstring` node of the parts of an INTERPOLATED leaf that still has its text from the source. */
export function partsOfString(tree: Tree, leaf: number): number {
  const { node } = readParts(tree, leaf, laxScanner);
  const opening = tree.firstLeaf(node);
  tree.prefixStart[opening] = tree.prefixStart[leaf]!;
  tree.prefixEnd[opening] = tree.prefixEnd[leaf]!;
  tree.prefixFlags[opening] = tree.prefixFlags[leaf]!;
  if (!tree.isSourcePrefix(leaf)) tree.setPrefix(opening, tree.prefix(leaf));
  return node;
}

/**
 * The same by the rules of Python's own tokenizer.
 *
 * @throws {StringPartsError}
 */
export function strictPartsOfString(tree: Tree, leaf: number): number {
  try {
    const { node, isWhole } = readParts(tree, leaf, strictScanner);
    if (isWhole) return node;
  } catch (error) {
    if (!(error instanceof SyntaxFailure)) throw error;
    const { kinds, lines } = buffer!;
    const isTokenError = kinds[error.token] === TokenKind.ERROR;
    throw new StringPartsError(isTokenError ? failure : "invalid syntax", lines[error.token]!, isTokenError);
  }
  throw new StringPartsError("invalid syntax", tree.line[leaf]!, false);
}

/** Why the tokenizer gave up on the last string, if it did. */
let failure = "";

/** The node, and whether it covers all of the leaf. */
function readParts(tree: Tree, leaf: number, scanner: TextScanner): { node: number; isWhole: boolean } {
  const start = tree.start[leaf]!;
  const end = tree.end[leaf]!;
  buffer ??= new TokenBuffer();
  const tokenizer = new Tokenizer(tree.source.slice(start, end), buffer, undefined, scanner);
  tokenizer.run();
  failure = tokenizer.failure?.message ?? "";
  for (let i = 0; i < buffer.count; i++) {
    buffer.starts[i]! += start;
    buffer.ends[i]! += start;
    buffer.lines[i]! += tree.line[leaf]! - 1;
  }
  const node = parseStrings(new Parser(tree, buffer, true, true));
  return { node, isWhole: tree.end[tree.lastLeaf(node)]! === end };
}
