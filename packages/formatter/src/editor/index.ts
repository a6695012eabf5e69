/** The library for editors that run in a page: what the language server does, without files. */
import { TextDocument } from "vscode-languageserver-textdocument";
import type { LineRange } from "../format/ranges/line-range.ts";
import type { DocumentResult } from "../language-server/document-result.ts";
import { formatCellWith } from "../language-server/format-cell-document.ts";
import { formatDocumentWith } from "../language-server/format-document.ts";
import type { ProjectSettings } from "./project-settings.ts";

export { UsageError } from "../mode/config/usage-error.ts";
export { productVersion as version, styleVersion } from "../mode/versions.ts";
export {
  hasOwnTable,
  type ProjectSettings,
  projectSettings,
  settingsOf,
} from "./project-settings.ts";
export type { DocumentResult };

/** A text to format. */
export interface Source {
  readonly text: string;
  /** Path within the project, with slashes: tells stubs and notebooks from modules, and what `force-exclude` leaves alone. */
  readonly path: string;
  /** Whether it is a cell of the notebook at that path. */
  readonly isCell?: boolean;
  /** Lines to format, 1-based with both ends included; all of them by default. */
  readonly ranges?: readonly LineRange[];
}

/** Formats a text with the safety check. What goes wrong is part of the result, whose edits are then none. */
export function formatSource(
  { text, path, isCell, ranges }: Source,
  project: ProjectSettings,
): DocumentResult {
  const document = TextDocument.create(path, "python", 0, text);
  const isExcluded = project.settings.forceExclude?.test(`/${path}`) ?? false;
  const settings = { path, settings: project.settings, isExcluded };
  return isCell === true
    ? formatCellWith(document, settings, ranges)
    : formatDocumentWith(document, settings, ranges);
}

/** The text after the edits. */
export function applyEdits(text: string, { edits }: DocumentResult): string {
  const document = TextDocument.create("", "python", 0, text);
  return TextDocument.applyEdits(document, [...edits]);
}
