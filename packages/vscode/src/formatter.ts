import { formatSource, UsageError } from "jetblack/editor";
import {
  type DocumentFormattingEditProvider,
  type DocumentRangeFormattingEditProvider,
  type FormattingOptions,
  type OnTypeFormattingEditProvider,
  type Position,
  Range,
  type TextDocument,
  TextEdit,
  type Uri,
  workspace,
} from "vscode";
import { findProject } from "./project.ts";
import type { Reporter } from "./reporter.ts";

type LineRange = readonly [first: number, last: number];

/** Answers the editor's requests to format. A document that cannot be formatted stays as it is. */
export class Formatter
  implements DocumentFormattingEditProvider, DocumentRangeFormattingEditProvider, OnTypeFormattingEditProvider
{
  readonly #reporter: Reporter;

  constructor(reporter: Reporter) {
    this.#reporter = reporter;
  }

  provideDocumentFormattingEdits(document: TextDocument): Promise<TextEdit[]> {
    return this.#format(document);
  }

  provideDocumentRangeFormattingEdits(document: TextDocument, range: Range): Promise<TextEdit[]> {
    return this.#format(document, [linesOf(range)]);
  }

  /** Several selections are one request, so that they are of one source. */
  provideDocumentRangesFormattingEdits(document: TextDocument, ranges: Range[]): Promise<TextEdit[]> {
    return this.#format(document, ranges.map(linesOf));
  }

  /** The line that Enter has left; half a statement is not worth a report. */
  async provideOnTypeFormattingEdits(
    document: TextDocument,
    position: Position,
    _character: string,
    _options: FormattingOptions,
  ): Promise<TextEdit[]> {
    const isWanted = workspace.getConfiguration("jetblack", document).get<boolean>("formatOnType", false);
    if (!isWanted || position.line === 0) return [];
    return this.#format(document, [[position.line, position.line]], false);
  }

  async #format(document: TextDocument, ranges?: readonly LineRange[], reports = true): Promise<TextEdit[]> {
    const { version } = document;
    const owner = ownerOf(document);
    try {
      const { settings, path } = await findProject(owner);
      // While the project's file was read, somebody may have typed on.
      if (document.version !== version) return [];
      const isCell = owner !== document.uri;
      const result = formatSource(
        { text: document.getText(), path, isCell, ...(ranges === undefined ? {} : { ranges }) },
        settings,
      );
      if (reports) this.#reporter.show(document, result);
      return result.edits.map(({ range: { start, end }, newText }) =>
        TextEdit.replace(new Range(start.line, start.character, end.line, end.character), newText),
      );
    } catch (error) {
      if (!(error instanceof UsageError)) this.#reporter.log(error);
      if (reports)
        this.#reporter.showMessage(document, error instanceof Error ? error.message : String(error));
      return [];
    }
  }
}

/** The document itself, or the notebook whose cell it is. */
function ownerOf(document: TextDocument): Uri {
  const notebook = workspace.notebookDocuments.find((open) =>
    open.getCells().some((cell) => cell.document === document),
  );
  return notebook?.uri ?? document.uri;
}

/** 1-based, both ends included; a selection that ends where a line begins leaves that line alone. */
function linesOf({ start, end }: Range): LineRange {
  const isBefore = end.character === 0 && end.line > start.line;
  return [start.line + 1, isBefore ? end.line : end.line + 1];
}
