import { pythonCellMagics as builtInCellMagics } from "../mode/options.ts";
import { maskCell, unmaskCell } from "./mask-cell.ts";
import { putTrailingSemicolonBack, removeTrailingSemicolon } from "./trailing-semicolon.ts";

/** What formatting a cell needs from its surroundings. */
export interface CellFormatter {
  /** Formats Python code; throws when it cannot. */
  readonly format: (code: string) => string;
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
  const { cell: silent, removed } = removeTrailingSemicolon(cell);
  const masked = maskCell(silent, formatter.isPython);
  if (masked === undefined) return undefined;
  const formatted = unmaskCell(formatter.format(masked.code), masked.replacements, formatter.isPython);
  if (formatted === undefined) return undefined;
  const result = (removed ? putTrailingSemicolonBack(formatted) : formatted).replace(/\n+$/, "");
  return result === cell ? undefined : result;
}

/** Black: validate_cell. */
function holdsPython(cell: string, pythonCellMagics: readonly string[]): boolean {
  if (rewrittenMagics.some((call) => cell.includes(call))) return false;
  const start = cell
    .split("\n")
    .map((line) => line.trimStart())
    .find((line) => line !== "" && !line.startsWith("#"));
  if (start === undefined || !start.startsWith("%%")) return true;
  const magic = start.split(/\s+/, 1)[0]!.slice(2);
  return builtInCellMagics.some((name) => name === magic) || pythonCellMagics.includes(magic);
}
