import type { TextDocumentContentChangeEvent } from "vscode-languageserver-protocol";
import { TextDocument } from "vscode-languageserver-textdocument";
import { ErrorCode, RequestError } from "./messages.ts";
import { documentUri, integerOf, listOf, objectOf, rangeOf, textOf } from "./params.ts";

/** What documents may take, so that a client gone wild does not take the machine with it. */
export interface DocumentLimits {
  readonly maxDocuments: number;
  /** UTF-16 code units of one document. */
  readonly maxLength: number;
}

/** The documents that the client has open, as it sees them. */
export class OpenDocuments {
  readonly #limits: DocumentLimits;
  readonly #documents = new Map<string, TextDocument>();

  constructor(limits: DocumentLimits) {
    this.#limits = limits;
  }

  /** @throws {RequestError} when the client has not opened it */
  get(uri: string): TextDocument {
    const document = this.#documents.get(uri);
    if (document === undefined)
      throw new RequestError(ErrorCode.invalidParams, `The document ${uri} is not open; open it again.`);
    return document;
  }

  /** `textDocument/didOpen` */
  open(params: unknown): void {
    const item = objectOf(objectOf(params, "params").textDocument, "textDocument");
    const uri = textOf(item.uri, "textDocument.uri");
    if (!this.#documents.has(uri) && this.#documents.size >= this.#limits.maxDocuments)
      throw new RequestError(
        ErrorCode.invalidParams,
        `More than ${this.#limits.maxDocuments} documents are open; close some of them.`,
      );
    const language = textOf(item.languageId, "textDocument.languageId");
    const version = integerOf(item.version, "textDocument.version");
    const text = textOf(item.text, "textDocument.text");
    this.#keep(TextDocument.create(uri, language, version, text));
  }

  /**
   * `textDocument/didChange`: the changes apply one after the other, each to what the one before has made. A document
   * whose change is refused is let go, as edits would not fit the text that the client has. What is not open is passed
   * over: whoever wants it formatted hears of it, and not at each key.
   */
  change(params: unknown): string {
    const uri = documentUri(params);
    const document = this.#documents.get(uri);
    if (document === undefined) return uri;
    this.#documents.delete(uri);
    const { textDocument, contentChanges } = objectOf(params, "params");
    const version = integerOf(objectOf(textDocument, "textDocument").version, "textDocument.version");
    const changes = listOf(contentChanges, "contentChanges").map(changeOf);
    this.#keep(TextDocument.update(document, changes, version));
    return uri;
  }

  /** `textDocument/didClose` */
  close(params: unknown): string {
    const uri = documentUri(params);
    this.#documents.delete(uri);
    return uri;
  }

  #keep(document: TextDocument): void {
    const length = document.getText().length;
    if (length <= this.#limits.maxLength) {
      this.#documents.set(document.uri, document);
      return;
    }
    this.#documents.delete(document.uri);
    throw new RequestError(
      ErrorCode.invalidParams,
      `The document ${document.uri} is too long to be formatted: ${length} characters, the limit is ${this.#limits.maxLength}.`,
    );
  }
}

function changeOf(value: unknown): TextDocumentContentChangeEvent {
  const change = objectOf(value, "a content change");
  const text = textOf(change.text, "text");
  return change.range === undefined ? { text } : { text, range: rangeOf(change.range) };
}
