/** Comments that are printed as they stand: found in the source, without leaves of their own. */
import { PrefixFlag, type Tree } from "../syntax/tree.ts";
import { isPlainContent } from "./plain-content.ts";

/** A comment on a line of its own. */
export interface PlainComment {
  /** Range in the source. */
  readonly start: number;
  readonly end: number;
  /** Blank lines before it, since the comment before. */
  readonly newlines: number;
}

const HASH = 0x23;
const LF = 0x0a;
const SPACE = 0x20;

/**
 * The comments before a leaf, if each stands on a line of its own, indented by `indent` spaces, and is normal already
 * (`generateComments` would make leaves with the same texts); otherwise `undefined`. Takes them off the leaf's prefix.
 */
export function takePlainComments(tree: Tree, leaf: number, indent: number): PlainComment[] | undefined {
  const { source } = tree;
  const odd = PrefixFlag.BACKSLASH | PrefixFlag.FORM_FEED;
  if ((tree.prefixFlags[leaf]! & odd) !== 0 || !tree.isSourcePrefix(leaf)) return undefined;
  const begin = tree.prefixStart[leaf]!;
  if (begin > 0 && source.charCodeAt(begin - 1) !== LF) return undefined;
  const end = tree.prefixEnd[leaf]!;
  const comments: PlainComment[] = [];
  let newlines = 0;
  for (let lineStart = begin; lineStart < end; ) {
    let at = lineStart;
    while (at < end && source.charCodeAt(at) === SPACE) at++;
    if (at === end) break;
    const code = source.charCodeAt(at);
    if (code === LF) {
      newlines++;
    } else {
      const start = at;
      if (code !== HASH || start - lineStart !== indent) return undefined;
      at = source.indexOf("\n", start);
      if (at === -1 || at >= end || !isPlain(source, start, at)) return undefined;
      comments.push({ start, end: at, newlines });
      newlines = 0;
    }
    lineStart = at + 1;
  }
  tree.setPrefix(leaf, "\n".repeat(newlines));
  return comments;
}

/** Whether `makeComment` returns the comment as it is, for reasons that are easy to see. */
function isPlain(source: string, start: number, end: number): boolean {
  const first = start + 1;
  if (first === end) return true;
  switch (source.charCodeAt(first)) {
    case SPACE:
    case 0x21: // !
    case 0x3a: // :
    case 0x27: // '
      return isPlainContent(source, first, end);
    default:
      return false;
  }
}
