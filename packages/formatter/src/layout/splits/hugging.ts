import { leafCodePoints } from "../../lines/leaf-size.ts";
import type { Line } from "../../lines/line.ts";
import { isClosingBracket, Kind } from "../../syntax/kinds.ts";
import { isTypeIgnoreComment } from "../../syntax/predicates/type-comments.ts";
import { isLineShortEnough } from "../short-enough.ts";
import { buildBody } from "./build-line.ts";

/** What is left between hugged brackets: the leaves from `start` up to `end`, and the line they make. */
export interface HuggedBody {
  readonly start: number;
  readonly end: number;
  readonly body: Line;
}

/**
 * Where the brackets at the indices `open` and `close` hold nothing but another bracket pair, keeps the two together
 * on one line, as in `call([`; `undefined` where they are not to be hugged (Black: within _first_right_hand_split).
 */
export function hugBrackets(line: Line, open: number, close: number): HuggedBody | undefined {
  const { tree, leaves } = line;
  if (tree.textLength(leaves[close]!) === 0) return undefined;
  const firstKind = tree.kind[leaves[open + 1]!];
  /** Leaves before the inner opening bracket: the star of an unpacking. */
  let offset = firstKind === Kind.STAR || firstKind === Kind.DOUBLESTAR ? 1 : 0;
  let start = open + 1;
  let end = close;
  while (end - start >= 2 + offset) {
    const last = leaves[end - 1]!;
    if (!isClosingBracket(tree.kind[last]!) || tree.mate[last] !== leaves[start + offset]) break;
    start += offset + 1;
    offset = 0;
    end--;
  }
  if (start === open + 1 || start === end) return undefined;
  const body = buildBody(leaves, start, end, line, leaves[start - 1]!);
  if (fitsAnyway(line, body, codePoints(line, open + 1, start) + codePoints(line, end, close)))
    return undefined;
  // Two `type: ignore` comments must not meet on one line (Black: _hugging_merges_type_ignores).
  if (typeIgnores(line, 0, start) > 1 || typeIgnores(line, end, leaves.length) > 1) return undefined;
  return { start, end, body };
}

/** Whether the content fits on one line with the brackets to be hugged; never with a magic trailing comma. */
function fitsAnyway(line: Line, body: Line, bracketLength: number): boolean {
  const last = body.leaves[body.leaves.length - 1]!;
  if (line.mode.magicTrailingComma && line.tree.kind[last] === Kind.COMMA) return false;
  return isLineShortEnough(body, line.mode.lineLength - bracketLength);
}

function codePoints(line: Line, start: number, end: number): number {
  let length = 0;
  for (let i = start; i < end; i++) length += leafCodePoints(line.tree, line.leaves[i]!);
  return length;
}

function typeIgnores(line: Line, start: number, end: number): number {
  if (line.comments === undefined) return 0;
  let count = 0;
  for (let i = start; i < end; i++) {
    for (const comment of line.commentsAfter(line.leaves[i]!)) {
      if (isTypeIgnoreComment(line.tree, comment)) count++;
    }
  }
  return count;
}
