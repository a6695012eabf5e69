/** How blib2to3's driver divides the white space and comments between two tokens. */
import { PrefixFlag } from "../syntax/tree.ts";

const TAB = 9;
const NEWLINE = 10;
const FORM_FEED = 12;
const SPACE = 32;

/**
 * Where the prefix `text[from..to)` is cut when a block indented by `column` ends: comments at that indentation or
 * deeper belong to the block and so to its DEDENT, the rest to what follows (driver.py `_partially_consume_prefix`).
 */
export function splitAtDedent(text: string, from: number, to: number, column: number): number {
  let split = from;
  let current = 0;
  let at = from;
  while (at < to) {
    const code = text.charCodeAt(at);
    if (code === SPACE || code === TAB) {
      current++;
      at++;
    } else if (code === NEWLINE || code === FORM_FEED) {
      current = 0;
      at++;
    } else {
      const lineEnd = text.indexOf("\n", at);
      if (lineEnd === -1 || lineEnd >= to || current < column) return split;
      at = lineEnd + 1;
      split = at;
      current = 0;
    }
  }
  return split;
}

/** `PrefixFlag` bits of a prefix. */
export function prefixFlagsOf(text: string, from: number, to: number): number {
  let flags = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 35) flags |= PrefixFlag.COMMENT;
    else if (code === NEWLINE) flags |= PrefixFlag.NEWLINE;
    else if (code === 92) flags |= PrefixFlag.BACKSLASH;
    else if (code === FORM_FEED) flags |= PrefixFlag.FORM_FEED;
  }
  return flags;
}

/**
 * The prefix that blib2to3 makes of a gap with backslash continuations: it keeps only the first one, directly after
 * code; of a further line that holds nothing but a backslash only the line break is left (tokenize.py
 * `transform_whitespace` and the driver's counting of lines). A line with a comment behind its backslash stays.
 */
export function prefixWithLostLines(gap: string, followsCode: boolean): string {
  const lines = gap.split("\n");
  const kept: string[] = [];
  for (let i = 0; i < lines.length - 1; i++) {
    const line = lines[i]!;
    const hash = line.indexOf("#");
    const backslash = line.indexOf("\\");
    const isLost =
      backslash !== -1 && hash === -1 && !(i === 0 && followsCode && backslash === line.length - 1);
    kept.push(isLost ? "" : line);
  }
  kept.push(lines.at(-1)!);
  return kept.join("\n");
}
