import { leafWidth } from "../../lines/leaf-size.ts";
import type { Line } from "../../lines/line.ts";
import { isOpeningBracket, Kind } from "../../syntax/kinds.ts";
import { INDENT_WIDTH } from "../short-enough.ts";

/**
 * Whether the line would fit without its comments and all of them follow an opening bracket: then another split
 * elsewhere gains nothing (Black: _over_length_only_due_to_bracket_comment).
 */
export function exceedsOnlyByBracketComment(line: Line, lineLength: number): boolean {
  return fitsWithoutComments(line, lineLength) && commentsFollow(line, isOpeningBracket);
}

/** The same for `[` alone (Black: _over_length_only_due_to_subscript_comment). */
export function exceedsOnlyBySubscriptComment(line: Line, lineLength: number): boolean {
  return fitsWithoutComments(line, lineLength) && commentsFollow(line, isSquareBracket);
}

function isSquareBracket(kind: number): boolean {
  return kind === Kind.LSQB;
}

function fitsWithoutComments(line: Line, lineLength: number): boolean {
  if (line.leaves.length === 0) return false;
  let width = INDENT_WIDTH * line.depth;
  for (const leaf of line.leaves) width += leafWidth(line.tree, leaf);
  return width <= lineLength;
}

function commentsFollow(line: Line, isAllowed: (kind: number) => boolean): boolean {
  if (line.comments === undefined) return true;
  for (const [leaf, comments] of line.comments) {
    if (comments.length === 0) continue;
    if (!isAllowed(line.tree.kind[leaf]!) || !line.leaves.includes(leaf)) return false;
  }
  return true;
}
