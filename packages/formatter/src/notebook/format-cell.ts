import { pythonCellMagics as builtInCellMagics } from "../mode/options.ts";
import type { TargetVersion } from "../mode/target-version.ts";
import { ParseError } from "../parse/errors.ts";
import { parse } from "../parse/parse.ts";
import { firstWord, lstrip } from "../util/python-text.ts";
import { asItIs, maskCell, maskMagics, unmaskCell } from "./mask-cell.ts";
import { putTrailingSemicolonBack, removeTrailingSemicolon } from "./trailing-semicolon.ts";

/** What formatting a cell needs from its surroundings. */
export interface CellFormatter {
  /**
   * Formats Python code; throws when it cannot.
   * @param skippedLines empty lines of the cell before the code's first one
   */
  readonly format: (code: string, skippedLines: number) => string;
  /** Whether the text parses as Python. */
  readonly isPython: (code: string) => boolean;
  /** Cell magics beyond the built-in ones whose cells hold Python (`--python-cell-magics`). */
  readonly pythonCellMagics: readonly string[];
}

/** What IPython turns magics into; a cell that already holds one could not be told from a rewritten one. */
const rewrittenMagics = ["run_cell_magic", "system", "getoutput", "run_line_magic"].map(
  (name) => `get_ipython().${name}`,
);

/**
 * Formats the code of one notebook cell (Black: format_cell): magics are masked, a trailing semicolon is set aside,
 * trailing line breaks go. `undefined` when the cell stays as it is: it is well formatted, not Python, or holds a
 * magic that cannot be masked.
 */
export function formatCell(cell: string, formatter: CellFormatter): string | undefined {
  if (!holdsPython(cell, formatter.pythonCellMagics)) return undefined;
  const silent = removeTrailingSemicolon(cell);
  if (silent === undefined) return undefined;
  const masked = maskCell(silent.cell, formatter.isPython);
  if (masked === undefined) return undefined;
  const output = formatter.format(masked.code, masked.skippedLines);
  const formatted = unmaskCell(output, masked.replacements, formatter.isPython);
  if (formatted === undefined) return undefined;
  const result = (silent.removed ? putTrailingSemicolonBack(formatted) : formatted).replace(/\n+$/, "");
  return result === cell ? undefined : result;
}

/** Where a cell is no Python: the error, its place counted from the first character of the code. */
export interface CellFault {
  readonly error: ParseError;
  /** Lines of the cell before the code's first one. */
  readonly line: number;
  /** UTF-16 units of that line before the code. */
  readonly character: number;
}

/** Why a cell that is meant to be Python cannot be parsed with its magics masked; `undefined` when it can. */
export function findCellFault(
  cell: string,
  formatter: CellFormatter,
  targetVersions: readonly TargetVersion[],
): CellFault | undefined {
  if (!holdsPython(cell, formatter.pythonCellMagics)) return undefined;
  const masked = formatter.isPython(cell) ? asItIs(cell) : maskMagics(cell);
  if (masked === undefined) return undefined;
  const code = lstrip(masked.code);
  const space = masked.code.slice(0, masked.code.length - code.length);
  try {
    parse(code, targetVersions).tree.release();
    return undefined;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const line = masked.skippedLines + space.split("\n").length - 1;
    return { error, line, character: space.length - space.lastIndexOf("\n") - 1 };
  }
}

/** Black: validate_cell. */
function holdsPython(cell: string, pythonCellMagics: readonly string[]): boolean {
  if (rewrittenMagics.some((call) => cell.includes(call))) return false;
  const start = cell
    .split("\n")
    .map(lstrip)
    .find((line) => line !== "" && !line.startsWith("#"));
  if (start === undefined || !start.startsWith("%%")) return true;
  const magic = firstWord(start).slice(2);
  return builtInCellMagics.some((name) => name === magic) || pythonCellMagics.includes(magic);
}
