import { Priority } from "../../lines/delimiters.ts";
import type { Line } from "../../lines/line.ts";
import { hasPreview, type Mode } from "../../mode/mode.ts";
import { Preview } from "../../mode/preview.ts";
import { isClosingBracket, isOpeningBracket, Kind } from "../../syntax/kinds.ts";
import { parentKind } from "../../syntax/predicates/family.ts";
import { isMultilineString } from "../../syntax/predicates/strings.ts";
import { NONE } from "../../syntax/tree.ts";
import type { BracketSplit } from "../splits/bracket-split.ts";
import { canOmitClosingParen, canOmitOpeningParen } from "./can-omit-ends.ts";
import { commentsForbidOmitting } from "./comments.ts";
import { fitsAfterSubscriptTarget } from "./indexed-assignment.ts";

/**
 * Whether the body of the split has a shape that can do without the optional parentheses around it
 * (Black: can_omit_invisible_parens). A cautious guess: what it rejects may still fit.
 */
export function canOmitInvisibleParens(split: BracketSplit, mode: Mode): boolean {
  if (commentsForbidOmitting(split)) return false;
  if (
    hasPreview(mode, Preview.fix_unnecessary_parens_in_indexed_assignment) &&
    fitsAfterSubscriptTarget(split, mode.lineLength)
  ) {
    return true;
  }
  const line = split.body;
  const tracker = line.tracker;
  // Without delimiters the parentheses are useless.
  if (tracker.delimiterLeaves.length === 0) return true;
  const priority = tracker.maxDelimiterPriority();
  const count = tracker.delimiterCountWithPriority(priority);
  if (count > 1) return false;
  // Two context managers read better in parentheses.
  if (count === 1 && priority === Priority.COMMA && split.line.isWithOrAsyncWithStmt()) return false;
  if (priority === Priority.DOT) return true;
  return endsAllowOmitting(line, mode.lineLength);
}

/** With a single delimiter: whether the expression starts or ends with a bracket that can be split instead. */
function endsAllowOmitting(line: Line, lineLength: number): boolean {
  const { tree, leaves } = line;
  const first = leaves[0]!;
  if (isOpeningBracket(tree.kind[first]!) && !isClosingBracket(tree.kind[leaves[1]!]!)) {
    if (canOmitOpeningParen(line, first, lineLength)) return true;
  }
  const last = leaves[leaves.length - 1]!;
  const kind = tree.kind[last];
  // An index at the end doesn't count: it looks weird.
  const isList = kind === Kind.RSQB && tree.parent[last] !== NONE && parentKind(tree, last) !== Kind.trailer;
  if (kind !== Kind.RPAR && kind !== Kind.RBRACE && !isList) return false;
  // Empty brackets don't help.
  if (isOpeningBracket(tree.kind[leaves[leaves.length - 2]!]!)) return false;
  return isMultilineString(tree, first) || canOmitClosingParen(line, last, lineLength);
}
