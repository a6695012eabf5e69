/** Widths of a tab in the two ways in which CPython counts columns (`Parser/lexer/state.h` TABSIZE, ALTTABSIZE). */
const TAB = 8;
const OTHER_TAB = 1;

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const BACKSLASH = 92;

/** A column, counted with tabs of either width. */
export interface PythonColumns {
  readonly column: number;
  readonly other: number;
  /** Whether a line in between is nothing but a backslash. */
  readonly isContinued: boolean;
}

/**
 * The columns of the statement at `start` by the rules of CPython's tokenizer for tabs, form feeds and lines that hold
 * nothing but a backslash or a comment (`Parser/lexer/lexer.c` tok_get_normal_mode).
 *
 * @param from where the line behind the last logical line begins
 */
export function pythonColumns(source: string, from: number, start: number): PythonColumns {
  let column = 0;
  let other = 0;
  // Of several lines that are one because of backslashes, the first that is indented counts.
  let continued = 0;
  let isContinued = false;
  for (let at = from; at < start; at++) {
    const code = source.charCodeAt(at);
    if (code === SPACE) {
      column++;
      other++;
    } else if (code === 9) {
      column = (Math.floor(column / TAB) + 1) * TAB;
      other = (Math.floor(other / OTHER_TAB) + 1) * OTHER_TAB;
    } else if (code === 12) {
      column = 0;
      other = 0;
    } else if (code === BACKSLASH) {
      if (continued === 0) continued = column;
      isContinued = true;
      at += source.charCodeAt(at + 1) === CARRIAGE_RETURN ? 2 : 1;
    } else {
      // A blank line, or one with a comment, whatever its last character; or what no line of Python begins with.
      if (code !== NEWLINE) at = endOfLine(source, at, start);
      column = 0;
      other = 0;
      continued = 0;
    }
  }
  if (continued === 0) return { column, other, isContinued };
  return { column: continued, other: continued, isContinued };
}

/** Where the line break is, or `start` if none comes before it: a cell's one line may begin with a space that is none to Python. */
function endOfLine(source: string, at: number, start: number): number {
  const end = source.indexOf("\n", at);
  return end === -1 ? start : end;
}
