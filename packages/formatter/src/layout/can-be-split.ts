import type { Line } from "../lines/line.ts";
import { isClosingBracket, isNameKind, isOpeningBracket, Kind } from "../syntax/kinds.ts";

/**
 * False when the line cannot be split for sure: fewer than two leaves, or a string with attributes and calls that
 * is no method chain (Black: can_be_split).
 */
export function canBeSplit(line: Line): boolean {
  const { tree, leaves } = line;
  if (leaves.length < 2) return false;
  if (tree.kind[leaves[0]!] !== Kind.STRING || tree.kind[leaves[1]!] !== Kind.DOT) return true;
  let calls = 0;
  let dots = 0;
  const next = tree.kind[leaves[leaves.length - 1]!]!;
  for (let i = leaves.length - 2; i >= 0; i--) {
    const kind = tree.kind[leaves[i]!]!;
    if (isOpeningBracket(kind)) {
      if (!isClosingBracket(next)) return false;
      calls++;
    } else if (kind === Kind.DOT) {
      dots++;
    } else if (isNameKind(kind)) {
      if (next !== Kind.DOT && !isOpeningBracket(next)) return false;
    } else if (!isClosingBracket(kind)) {
      return false;
    }
    if (dots > 1 && calls > 1) return false;
  }
  return true;
}
