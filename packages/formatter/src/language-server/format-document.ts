import type { TextDocument } from "vscode-languageserver-textdocument";
import type { LineRange } from "../format/ranges/line-range.ts";
import { ParseError } from "../parse/errors.ts";
import { type DocumentResult, failureOf, unchanged } from "./document-result.ts";
import { type DocumentSettings, settingsFor } from "./document-settings.ts";
import { codeStart, formatText } from "./format-text.ts";
import { lineEdits } from "./line-edits.ts";
import { syntaxDiagnostic } from "./syntax-diagnostic.ts";

/**
 * Formats an open document, or only some lines of it. What goes wrong is part of the result: the document then stays
 * as it is.
 *
 * @param folder where documents that are no files find their configuration
 */
export function formatDocument(
  document: TextDocument,
  folder: string,
  ranges?: readonly LineRange[],
): DocumentResult {
  try {
    return formatDocumentWith(document, settingsFor(document.uri, folder), ranges);
  } catch (error) {
    return { ...unchanged, message: failureOf(document.uri, error) };
  }
}

/** Formats a document whose settings are known already. */
export function formatDocumentWith(
  document: TextDocument,
  settings: DocumentSettings,
  ranges?: readonly LineRange[],
): DocumentResult {
  try {
    if (settings.isExcluded) return unchanged;
    const edits = lineEdits(document, formatText(document.getText(), settings, ranges));
    return { ...unchanged, edits };
  } catch (error) {
    if (error instanceof ParseError && !isNotebook(settings)) {
      const start = document.positionAt(codeStart(document.getText(), settings));
      return { ...unchanged, diagnostics: [syntaxDiagnostic(document, error, start)] };
    }
    return { ...unchanged, message: failureOf(document.uri, error) };
  }
}

/** A place within a cell is none in the notebook's text. */
function isNotebook({ path, settings }: DocumentSettings): boolean {
  return settings.ipynb || path?.endsWith(".ipynb") === true;
}
