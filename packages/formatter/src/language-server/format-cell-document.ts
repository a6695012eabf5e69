import type { TextDocument } from "vscode-languageserver-textdocument";
import { cellFormatter } from "../files/notebook/cell-formatter.ts";
import type { LineRange } from "../format/ranges/line-range.ts";
import { modeOfSettings } from "../mode/config/mode-of-settings.ts";
import type { Mode } from "../mode/mode.ts";
import { BrokenCellError } from "../notebook/check-cell.ts";
import { type CellFormatter, findCellFault, formatCell } from "../notebook/format-cell.ts";
import { ParseError } from "../parse/errors.ts";
import { newlineOfFirstLine, withLf, withNewline } from "../util/newline.ts";
import { type DocumentResult, failureOf, unchanged } from "./document-result.ts";
import { type DocumentSettings, settingsFor } from "./document-settings.ts";
import { lineEdits } from "./line-edits.ts";
import { syntaxDiagnostic } from "./syntax-diagnostic.ts";

/**
 * Formats one code cell of an open notebook, or only some lines of it, as the command line formats the cells of a
 * notebook's file: a cell that is no Python stays as it is. The place of its fault is shown, which a file could not do.
 *
 * @param notebook the address of the notebook, whose project has the options
 * @param folder where notebooks that are no files find their configuration
 */
export function formatCellDocument(
  document: TextDocument,
  notebook: string,
  folder: string,
  ranges?: readonly LineRange[],
): DocumentResult {
  try {
    return formatCellWith(document, settingsFor(notebook, folder), ranges);
  } catch (error) {
    return { ...unchanged, message: failureOf(document.uri, error) };
  }
}

/** Formats a cell whose notebook's settings are known already. */
export function formatCellWith(
  document: TextDocument,
  { settings, isExcluded }: DocumentSettings,
  ranges?: readonly LineRange[],
): DocumentResult {
  try {
    if (isExcluded) return unchanged;
    const mode = { ...modeOfSettings(settings), isIpynb: true };
    const formatter = cellFormatter(mode, settings.pythonCellMagics, settings.fast, ranges);
    return formatWith(document, formatter, mode, ranges !== undefined);
  } catch (error) {
    return { ...unchanged, message: failureOf(document.uri, error) };
  }
}

function formatWith(
  document: TextDocument,
  formatter: CellFormatter,
  mode: Mode,
  keepsEnd: boolean,
): DocumentResult {
  const text = document.getText();
  const cell = withLf(text);
  let formatted: string | undefined;
  try {
    formatted = formatCell(cell, formatter);
  } catch (error) {
    if (!(error instanceof ParseError || error instanceof BrokenCellError)) throw error;
  }
  if (formatted !== undefined) {
    // A cell loses empty lines at its end, which are no part of a selection.
    const end = keepsEnd ? /\n*$/.exec(cell)![0] : "";
    return {
      ...unchanged,
      edits: lineEdits(document, withNewline(formatted + end, newlineOfFirstLine(text))),
    };
  }
  const fault = findCellFault(cell, formatter, mode.targetVersions);
  return fault === undefined
    ? unchanged
    : { ...unchanged, diagnostics: [syntaxDiagnostic(document, fault.error, fault)] };
}
