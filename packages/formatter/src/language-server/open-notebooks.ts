import { ErrorCode, RequestError } from "./messages.ts";
import type { OpenDocuments } from "./open-documents.ts";
import { indexOf, integerOf, listOf, objectOf, textOf } from "./params.ts";

/** `NotebookCellKind.Code` of the protocol. */
const KIND_CODE = 2;

interface Cell {
  readonly uri: string;
  readonly kind: number;
}

interface Notebook {
  /** What its kernel runs. */
  language: string;
  cells: Cell[];
}

/** Where a cell belongs. */
export interface CellPlace {
  readonly notebook: string;
  /** Whether it holds code for a Python kernel. */
  readonly isPython: boolean;
}

/**
 * The notebooks that the client has open: which cells they have, in their order. The cells' texts are documents like
 * others (Language Server Protocol 3.17, notebook document synchronization).
 */
export class OpenNotebooks {
  readonly #documents: OpenDocuments;
  readonly #notebooks = new Map<string, Notebook>();

  constructor(documents: OpenDocuments) {
    this.#documents = documents;
  }

  /** The notebook that a document is a cell of; `undefined` for a document that is none. */
  placeOf(uri: string): CellPlace | undefined {
    for (const [notebook, { language, cells }] of this.#notebooks) {
      const cell = cells.find((one) => one.uri === uri);
      if (cell !== undefined) return { notebook, isPython: cell.kind === KIND_CODE && language === "python" };
    }
    // Clients that know no notebooks open their cells as documents.
    const address = /^vscode-notebook-cell:([^#]*)/.exec(uri)?.[1];
    return address === undefined ? undefined : { notebook: `file:${address}`, isPython: true };
  }

  /** `notebookDocument/didOpen` */
  open(params: unknown): void {
    const { notebookDocument, cellTextDocuments } = objectOf(params, "params");
    const notebook = objectOf(notebookDocument, "notebookDocument");
    const uri = textOf(notebook.uri, "notebookDocument.uri");
    const cells = listOf(notebook.cells, "notebookDocument.cells").map(cellOf);
    this.#notebooks.set(uri, { language: languageOf(notebook.metadata), cells });
    this.#openAll(cellTextDocuments);
  }

  /**
   * `notebookDocument/didChange`: cells come, go and move, and their texts change. The cells of a notebook whose change
   * is refused are let go, as edits would not fit the texts that the client has.
   * @returns the cells whose text changed or that are gone
   */
  change(params: unknown): string[] {
    const { notebookDocument, change } = objectOf(params, "params");
    const uri = textOf(objectOf(notebookDocument, "notebookDocument").uri, "notebookDocument.uri");
    const notebook = this.#notebooks.get(uri);
    if (notebook === undefined)
      throw new RequestError(ErrorCode.invalidParams, `The notebook ${uri} is not open.`);
    try {
      return this.#apply(notebook, objectOf(change, "change"));
    } catch (error) {
      for (const cell of notebook.cells) this.#documents.close({ textDocument: cell });
      throw error;
    }
  }

  #apply(notebook: Notebook, { metadata, cells }: Readonly<Record<string, unknown>>): string[] {
    if (metadata !== undefined) notebook.language = languageOf(metadata);
    if (cells === undefined) return [];
    const { structure, data, textContent } = objectOf(cells, "change.cells");
    const closed =
      structure === undefined ? [] : this.#restructure(notebook, objectOf(structure, "structure"));
    const changed = new Map(listOf(data ?? [], "data").map((value) => [cellOf(value).uri, cellOf(value)]));
    notebook.cells = notebook.cells.map((cell) => changed.get(cell.uri) ?? cell);
    return [
      ...closed,
      ...listOf(textContent ?? [], "textContent").map((content) => this.#changeText(content)),
    ];
  }

  /**
   * `notebookDocument/didClose`
   * @returns the cells that are closed with it
   */
  close(params: unknown): string[] {
    const { notebookDocument, cellTextDocuments } = objectOf(params, "params");
    this.#notebooks.delete(
      textOf(objectOf(notebookDocument, "notebookDocument").uri, "notebookDocument.uri"),
    );
    return this.#closeAll(cellTextDocuments);
  }

  /** A cell that moves is taken out and put in again; its text stays open meanwhile. */
  #restructure(notebook: Notebook, structure: Readonly<Record<string, unknown>>): string[] {
    const array = objectOf(structure.array, "structure.array");
    const start = indexOf(array.start, "structure.array.start");
    const deleteCount = indexOf(array.deleteCount, "structure.array.deleteCount");
    const added = listOf(array.cells ?? [], "structure.array.cells").map(cellOf);
    const { cells } = notebook;
    notebook.cells = [...cells.slice(0, start), ...added, ...cells.slice(start + deleteCount)];
    this.#openAll(structure.didOpen ?? []);
    return this.#closeAll(structure.didClose ?? []);
  }

  #changeText(content: unknown): string {
    const { document, changes } = objectOf(content, "a cell's change");
    return this.#documents.change({ textDocument: document, contentChanges: changes });
  }

  #openAll(items: unknown): void {
    for (const textDocument of listOf(items, "the opened cells")) this.#documents.open({ textDocument });
  }

  #closeAll(identifiers: unknown): string[] {
    return listOf(identifiers, "the closed cells").map((textDocument) =>
      this.#documents.close({ textDocument }),
    );
  }
}

function cellOf(value: unknown): Cell {
  const { kind, document } = objectOf(value, "a cell");
  return { uri: textOf(document, "a cell's document"), kind: integerOf(kind, "a cell's kind") };
}

/**
 * The language in a notebook's metadata, Python where it names none (Black: validate_metadata). They are the file's as
 * they are, or below a `metadata` of their own, as VS Code has them.
 */
function languageOf(metadata: unknown): string {
  for (const holder of [metadata, memberOf(metadata, "metadata")]) {
    const name = memberOf(memberOf(holder, "language_info"), "name");
    if (typeof name === "string") return name;
  }
  return "python";
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
