import type { Diagnostic, TextEdit } from "vscode-languageserver-protocol";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { SafetyError } from "../equivalence/safety-error.ts";
import { DiscoveryError } from "../files/discover/discovery-error.ts";
import { isTooDeep } from "../files/failure-message.ts";
import type { LineRange } from "../format/ranges/line-range.ts";
import { UsageError } from "../mode/config/usage-error.ts";
import { JsonError } from "../notebook/python-json.ts";
import { ParseError } from "../parse/errors.ts";
import { type DocumentSettings, settingsFor } from "./document-settings.ts";
import { codeStart, formatText } from "./format-text.ts";
import { lineEdits } from "./line-edits.ts";
import { syntaxDiagnostic } from "./syntax-diagnostic.ts";

/** What came of a request to format. */
export interface DocumentResult {
  readonly edits: readonly TextEdit[];
  /** Why the source could not be parsed; empty once it can. */
  readonly diagnostics: readonly Diagnostic[];
  /** What the user must be told. */
  readonly message: string | undefined;
}

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
  let settings: DocumentSettings | undefined;
  try {
    settings = settingsFor(document.uri, folder);
    if (settings.isExcluded) return unchanged;
    const edits = lineEdits(document, formatText(document.getText(), settings, ranges));
    return { ...unchanged, edits };
  } catch (error) {
    if (error instanceof ParseError && settings !== undefined && !isNotebook(settings)) {
      const start = codeStart(document.getText(), settings);
      return { ...unchanged, diagnostics: [syntaxDiagnostic(document, error, start)] };
    }
    return { ...unchanged, message: `${document.uri} cannot be formatted: ${reasonOf(error)}` };
  }
}

const unchanged: DocumentResult = { edits: [], diagnostics: [], message: undefined };

/** A place within a cell is none in the notebook's text. */
function isNotebook({ path, settings }: DocumentSettings): boolean {
  return settings.ipynb || path?.endsWith(".ipynb") === true;
}

/** @throws what is a fault of this program */
function reasonOf(error: unknown): string {
  if (isTooDeep(error)) return "the source is nested too deeply";
  const isExpected =
    error instanceof UsageError ||
    error instanceof DiscoveryError ||
    error instanceof SafetyError ||
    error instanceof ParseError ||
    error instanceof JsonError;
  if (!isExpected) throw error;
  return error.message;
}
