import { fileURLToPath } from "node:url";
import type { InitializeResult, TextEdit } from "vscode-languageserver-protocol";
import type { LineRange } from "../format/ranges/line-range.ts";
import { productVersion } from "../mode/versions.ts";
import { formatCellDocument } from "./format-cell-document.ts";
import { formatDocument } from "./format-document.ts";
import { ErrorCode, type IncomingMessage, parseMessage, RequestError, type RequestId } from "./messages.ts";
import { type DocumentLimits, OpenDocuments } from "./open-documents.ts";
import { OpenNotebooks } from "./open-notebooks.ts";
import { documentUri, listOf, objectOf, rangeOf } from "./params.ts";

/** How documents reach the server: only what changed. */
const SYNC_INCREMENTAL = 2;
/** `languageId` of the documents and cells that are formatted. */
const PYTHON = "python";
/** `MessageType.Error` of `window/showMessage`. */
const MESSAGE_ERROR = 1;

/** Sends one message to the client. */
export type Send = (message: object) => void;

/**
 * A language server that formats Python documents (Language Server Protocol 3.17). Messages are handled in the order
 * in which they come, each at once, so that edits always fit the text that the client has.
 */
export class LanguageServer {
  readonly #send: Send;
  readonly #documents: OpenDocuments;
  readonly #notebooks: OpenNotebooks;
  #state: "created" | "running" | "shut down" = "created";
  #folder = process.cwd();
  /** Documents whose syntax error the client shows. */
  readonly #faulty = new Set<string>();

  constructor(send: Send, limits: DocumentLimits) {
    this.#send = send;
    this.#documents = new OpenDocuments(limits);
    this.#notebooks = new OpenNotebooks(this.#documents);
  }

  /**
   * Handles the body of one message.
   * @returns the process's exit code once the client has asked it to end: 0 after `shutdown`, else 1
   */
  handle(body: Uint8Array): 0 | 1 | undefined {
    let message: IncomingMessage | undefined;
    try {
      message = parseMessage(body);
    } catch (error) {
      this.#fail(null, error);
      return undefined;
    }
    if (message === undefined) return undefined;
    if (message.id === undefined) return this.#notified(message);
    try {
      this.#send({ jsonrpc: "2.0", id: message.id, result: this.#request(message) });
    } catch (error) {
      this.#fail(message.id, error);
    }
    return undefined;
  }

  #request({ method, params }: IncomingMessage): unknown {
    if (method === "initialize") return this.#initialize(params);
    if (this.#state === "created")
      throw new RequestError(ErrorCode.serverNotInitialized, "The first request is initialize.");
    if (this.#state === "shut down")
      throw new RequestError(ErrorCode.invalidRequest, "The server has been shut down.");
    switch (method) {
      case "shutdown":
        this.#state = "shut down";
        return null;
      case "textDocument/formatting":
        return this.#format(params);
      case "textDocument/rangeFormatting":
        return this.#format(params, [linesOf(objectOf(params, "params").range)]);
      case "textDocument/rangesFormatting":
        return this.#format(params, listOf(objectOf(params, "params").ranges, "ranges").map(linesOf));
      default:
        throw new RequestError(ErrorCode.methodNotFound, `The method ${method} is not known here.`);
    }
  }

  #initialize(params: unknown): InitializeResult {
    if (this.#state !== "created")
      throw new RequestError(ErrorCode.invalidRequest, "The server is initialized once.");
    this.#folder = workspaceFolder(params) ?? this.#folder;
    this.#state = "running";
    return {
      capabilities: {
        positionEncoding: "utf-16",
        textDocumentSync: { openClose: true, change: SYNC_INCREMENTAL },
        notebookDocumentSync: { notebookSelector: [{ cells: [{ language: PYTHON }] }] },
        documentFormattingProvider: true,
        documentRangeFormattingProvider: { rangesSupport: true },
      },
      serverInfo: { name: "jetblack", version: productVersion },
    };
  }

  #notified({ method, params }: IncomingMessage): 0 | 1 | undefined {
    if (method === "exit") return this.#state === "shut down" ? 0 : 1;
    if (this.#state !== "running") return undefined;
    try {
      for (const uri of this.#keepDocuments(method, params)) this.#showSyntaxErrors(uri, []);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.#showMessage(error.message);
    }
    return undefined;
  }

  /** Follows what is open; returns the documents of which the syntax is unknown now. */
  #keepDocuments(method: string, params: unknown): readonly string[] {
    switch (method) {
      case "textDocument/didOpen":
        this.#documents.open(params);
        return [];
      case "textDocument/didChange":
        return [this.#documents.change(params)];
      case "textDocument/didClose":
        return [this.#documents.close(params)];
      case "notebookDocument/didOpen":
        this.#notebooks.open(params);
        return [];
      case "notebookDocument/didChange":
        return this.#notebooks.change(params);
      case "notebookDocument/didClose":
        return this.#notebooks.close(params);
      default:
        return [];
    }
  }

  /** The edits for a document or a notebook's cell. */
  #format(params: unknown, ranges?: readonly LineRange[]): readonly TextEdit[] {
    const document = this.#documents.get(documentUri(params));
    const { uri, languageId } = document;
    const place = this.#notebooks.placeOf(uri);
    if (place !== undefined && !(place.isPython && languageId === PYTHON)) return [];
    const { edits, diagnostics, message } =
      place === undefined
        ? formatDocument(document, this.#folder, ranges)
        : formatCellDocument(document, place.notebook, this.#folder, ranges);
    this.#showSyntaxErrors(uri, diagnostics);
    if (message !== undefined) this.#showMessage(message);
    return edits;
  }

  #showSyntaxErrors(uri: string, diagnostics: readonly object[]): void {
    if (diagnostics.length === 0 && !this.#faulty.delete(uri)) return;
    if (diagnostics.length > 0) this.#faulty.add(uri);
    this.#send({ jsonrpc: "2.0", method: "textDocument/publishDiagnostics", params: { uri, diagnostics } });
  }

  #showMessage(message: string): void {
    this.#send({ jsonrpc: "2.0", method: "window/showMessage", params: { type: MESSAGE_ERROR, message } });
  }

  #fail(id: RequestId | null, error: unknown): void {
    const code = error instanceof RequestError ? error.code : ErrorCode.internalError;
    const message = error instanceof Error ? error.message : String(error);
    this.#send({ jsonrpc: "2.0", id, error: { code, message } });
  }
}

/** The 1-based lines of a selection; one that ends before a line's first character does not take that line in. */
function linesOf(range: unknown): LineRange {
  const { start, end } = rangeOf(range);
  return [start.line + 1, end.character === 0 && end.line > start.line ? end.line : end.line + 1];
}

/** The folder that the editor has open, where it names one. */
function workspaceFolder(params: unknown): string | undefined {
  const { workspaceFolders, rootUri } = objectOf(params, "params");
  const first: unknown = Array.isArray(workspaceFolders) ? workspaceFolders[0] : undefined;
  const uri = first === undefined ? rootUri : objectOf(first, "a workspace folder").uri;
  if (typeof uri !== "string" || !uri.startsWith("file:")) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
