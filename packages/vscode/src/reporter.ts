import type { DocumentResult } from "jetblack/editor";
import {
  Diagnostic,
  DiagnosticSeverity,
  type Disposable,
  LanguageStatusSeverity,
  type LogOutputChannel,
  languages,
  Range,
  type TextDocument,
  window,
  workspace,
} from "vscode";

/** Says why a document was not formatted: in its status, and for a syntax error at its place, until it changes. */
export class Reporter implements Disposable {
  readonly #log: LogOutputChannel;
  readonly #faults = languages.createDiagnosticCollection("jetblack");
  readonly #status = languages.createLanguageStatusItem("jetblack", { language: "python" });
  readonly #reasons = new Map<string, string>();
  readonly #subscriptions: readonly Disposable[];

  constructor(log: LogOutputChannel) {
    this.#log = log;
    this.#status.name = "Jetblack";
    this.#status.command = { command: "jetblack.showOutput", title: "Show Output" };
    this.#subscriptions = [
      workspace.onDidChangeTextDocument(({ document }) => this.#forget(document)),
      workspace.onDidCloseTextDocument((document) => this.#forget(document)),
      window.onDidChangeActiveTextEditor(() => this.#renew()),
    ];
    this.#renew();
  }

  show(document: TextDocument, { diagnostics, message }: DocumentResult): void {
    this.#faults.set(
      document.uri,
      diagnostics.map(({ range: { start, end }, message }) => {
        const range = new Range(start.line, start.character, end.line, end.character);
        const fault = new Diagnostic(range, message, DiagnosticSeverity.Error);
        fault.source = "jetblack";
        return fault;
      }),
    );
    const [first] = diagnostics;
    const reason = first === undefined ? message : `Line ${first.range.start.line + 1}: ${first.message}`;
    this.#note(document, reason);
    if (message !== undefined) void window.showErrorMessage(`Jetblack: ${message}`);
  }

  showMessage(document: TextDocument, message: string): void {
    this.show(document, { edits: [], diagnostics: [], message });
  }

  log(error: unknown): void {
    this.#log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }

  dispose(): void {
    for (const { dispose } of this.#subscriptions) dispose();
    this.#faults.dispose();
    this.#status.dispose();
  }

  #note(document: TextDocument, reason: string | undefined): void {
    const key = document.uri.toString();
    if (reason === undefined) this.#reasons.delete(key);
    else {
      this.#reasons.set(key, reason);
      this.#log.warn(`${document.uri.path}: ${reason}`);
    }
    this.#renew();
  }

  #forget(document: TextDocument): void {
    if (!this.#reasons.has(document.uri.toString())) return;
    this.#faults.delete(document.uri);
    this.#note(document, undefined);
  }

  /** The status is that of the document in front. */
  #renew(): void {
    const key = window.activeTextEditor?.document.uri.toString();
    const reason = key === undefined ? undefined : this.#reasons.get(key);
    this.#status.severity =
      reason === undefined ? LanguageStatusSeverity.Information : LanguageStatusSeverity.Error;
    this.#status.text = reason === undefined ? "Jetblack" : "Jetblack: not formatted";
    this.#status.detail = reason ?? "formats as Black does";
  }
}
