import { checkOutput } from "../src/files/check-output.ts";
import { cellFormatter } from "../src/files/notebook/cell-formatter.ts";
import { formatSource } from "../src/format/format-source.ts";
import { modeOf } from "../src/format/options.ts";
import type { Mode } from "../src/mode/mode.ts";
import { type CellFormatter, findCellFault } from "../src/notebook/format-cell.ts";
import { codeCells, formatNotebook } from "../src/notebook/format-notebook.ts";
import { newlineOfFirstLine, withLf, withNewline } from "../src/util/newline.ts";
import { formatOptions, type PageState } from "./page-state.ts";
import { describePlace } from "./place.ts";

/** A code cell of a notebook, before and after, by its place among all cells from 0. */
export interface CellPair {
  readonly index: number;
  readonly before: string;
  readonly after: string;
}

/** What came of a source, and what each part of the work took. */
export interface Inspection {
  readonly output: string;
  readonly formatMs: number;
  /** Comparing the syntax trees and formatting once more; 0 where nothing changed, as there is nothing to compare. */
  readonly checkMs: number;
  /** Of a notebook: its code, without what else is in the file. */
  readonly cells?: readonly CellPair[];
  /** Of a notebook: why cells that are meant to be Python stay as they are. */
  readonly faults: readonly string[];
}

/**
 * Formats as the command line does, safety check included.
 * @throws {ParseError} for a source that cannot be parsed, `SafetyError` for a result that cannot be trusted, and those of
 *   notebooks
 */
export function inspect(state: PageState): Inspection {
  const mode: Mode = { ...modeOf(formatOptions(state)), isIpynb: state.kind === "notebook" };
  const took = { format: 0, check: 0 };
  const formatter: CellFormatter = {
    ...cellFormatter(mode, [], false),
    format: (code) => formatTimed(code, mode, took),
  };
  const output = mode.isIpynb ? formatNotebook(state.source, formatter) : formatter.format(state.source, 0);
  const times = { output, formatMs: took.format, checkMs: took.check };
  if (!mode.isIpynb) return { ...times, faults: [] };
  const after = codeCells(output);
  const cells = codeCells(state.source).map(({ index, code }, position) => ({
    index,
    before: code,
    after: after[position]!.code,
  }));
  return { ...times, cells, faults: cells.flatMap((cell) => faultOf(cell, formatter, mode)) };
}

function formatTimed(code: string, mode: Mode, took: { format: number; check: number }): string {
  const contents = withLf(code);
  const started = performance.now();
  const output = formatSource(contents, mode);
  const formatted = performance.now();
  took.format += formatted - started;
  if (output === contents) return code;
  checkOutput(contents, output, mode, true);
  took.check += performance.now() - formatted;
  return withNewline(output, newlineOfFirstLine(code));
}

function faultOf({ index, before, after }: CellPair, formatter: CellFormatter, mode: Mode): string[] {
  if (before !== after) return [];
  const fault = findCellFault(withLf(before), formatter, mode.targetVersions);
  return fault === undefined ? [] : [`Cell ${index + 1}: ${describePlace(fault.error, fault)}`];
}
