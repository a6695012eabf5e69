import { splitlinesKeepingEnds } from "../util/python-text.ts";
import { type CellFormatter, formatCell } from "./format-cell.ts";
import { type PythonJson, parseJson, writeJson } from "./python-json.ts";

/** The file is JSON, but not a notebook. */
export class NotebookError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "NotebookError";
  }
}

/**
 * Formats the code cells of a notebook (Black: format_ipynb_string). The same text comes back when no cell changes,
 * and for notebooks whose language is not Python. Metadata, outputs and the order of keys are kept; a changed
 * notebook is written with one space of indentation, as Jupyter does.
 *
 * @throws JsonError for text that is not JSON, NotebookError for JSON that is no notebook.
 */
export function formatNotebook(text: string, formatter: CellFormatter): string {
  if (text === "") return text;
  const notebook = parseJson(text);
  if (!(notebook instanceof Map)) throw new NotebookError("A notebook must be a JSON object");
  if (!isPythonNotebook(notebook)) return text;
  const cells = notebook.get("cells");
  if (!Array.isArray(cells)) throw new NotebookError("A notebook must have a list of cells");
  const changed = cells.filter((cell) => cell instanceof Map && formatCodeCell(cell, formatter));
  if (changed.length === 0) return text;
  return writeJson(notebook) + (text.endsWith("\n") ? "\n" : "");
}

/** The code of the notebook's code cells with their index, for differences shown cell by cell. */
export function codeCells(text: string): { index: number; code: string }[] {
  const notebook = parseJson(text);
  const cells = notebook instanceof Map ? notebook.get("cells") : undefined;
  if (!Array.isArray(cells)) return [];
  return cells.flatMap((cell, index) => {
    if (!(cell instanceof Map) || cell.get("cell_type") !== "code") return [];
    return [{ index, code: sourceOf(cell) }];
  });
}

/** Black: validate_metadata; a notebook that names no language is taken for Python. */
function isPythonNotebook(notebook: ReadonlyMap<string, PythonJson>): boolean {
  const metadata = notebook.get("metadata");
  const language = metadata instanceof Map ? metadata.get("language_info") : undefined;
  const name = language instanceof Map ? language.get("name") : undefined;
  return name === undefined || name === null || name === "python";
}

function formatCodeCell(cell: Map<string, PythonJson>, formatter: CellFormatter): boolean {
  if (cell.get("cell_type") !== "code") return false;
  const formatted = formatCell(sourceOf(cell), formatter);
  if (formatted === undefined) return false;
  cell.set("source", splitlinesKeepingEnds(formatted));
  return true;
}

/** A cell's source is one string or a list of lines (nbformat). */
function sourceOf(cell: ReadonlyMap<string, PythonJson>): string {
  const source = cell.get("source");
  if (typeof source === "string") return source;
  if (Array.isArray(source) && source.every((line) => typeof line === "string")) return source.join("");
  throw new NotebookError("A code cell's source must be a string or a list of strings");
}
