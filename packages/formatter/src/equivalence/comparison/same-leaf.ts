import { Kind } from "../../syntax/kinds.ts";
import type { Tree } from "../../syntax/tree.ts";

/** Whether two leaves of one kind mean the same but for numbers and strings that are spelled in different ways. */
export function isSameLeaf(left: Tree, x: number, right: Tree, y: number): boolean {
  const kind = left.kind[x]!;
  // The text of all other leaves is told by their kind, or is layout.
  if (kind !== Kind.NAME && kind !== Kind.STRING && kind !== Kind.NUMBER) return true;
  const start = left.start[x]!;
  const length = left.end[x]! - start;
  const other = right.start[y]!;
  if (right.end[y]! - other !== length) return false;
  if (isSameText(left.source, start, right.source, other, length)) return true;
  return kind === Kind.STRING && isSameLiteral(left.source, start, right.source, other, length);
}

/** Whether two literals of one length have the same body and, but for its case, the same prefix. */
function isSameLiteral(left: string, start: number, right: string, other: number, length: number): boolean {
  let prefix = 0;
  while (isLetter(left.charCodeAt(start + prefix))) {
    if ((left.charCodeAt(start + prefix) | 32) !== (right.charCodeAt(other + prefix) | 32)) return false;
    prefix++;
  }
  if (isLetter(right.charCodeAt(other + prefix))) return false;
  const quotes = quoteLength(left, start + prefix, length - prefix);
  if (quotes !== quoteLength(right, other + prefix, length - prefix)) return false;
  const offset = prefix + quotes;
  return isSameText(left, start + offset, right, other + offset, length - offset - quotes);
}

function isLetter(code: number): boolean {
  return (code | 32) >= 97 && (code | 32) <= 122;
}

/** How many quotes open the literal without prefix at `at`. */
function quoteLength(source: string, at: number, length: number): number {
  const quote = source.charCodeAt(at);
  return length >= 6 && source.charCodeAt(at + 1) === quote && source.charCodeAt(at + 2) === quote ? 3 : 1;
}

function isSameText(left: string, start: number, right: string, other: number, length: number): boolean {
  for (let i = 0; i < length; i++)
    if (left.charCodeAt(start + i) !== right.charCodeAt(other + i)) return false;
  return true;
}
