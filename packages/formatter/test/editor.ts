import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  createProtocolConnection,
  type Diagnostic,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type TextEdit,
} from "vscode-languageserver-protocol/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { bundledForTests, compileCache } from "../../../tools/bundles.ts";

const program = join(await bundledForTests("formatter"), "bin/jetblack-lsp.cjs");

/** The server's process, the official client library in front of it, and a folder of its own. */
export class Editor {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "jetblack-lsp-")));
  readonly process: ChildProcessWithoutNullStreams;
  readonly exited: Promise<unknown[]>;
  readonly client: ProtocolConnection;
  readonly messages: string[] = [];
  readonly diagnostics: { uri: string; diagnostics: Diagnostic[] }[] = [];

  constructor() {
    this.process = spawn(process.execPath, [program, "--stdio"], {
      env: { PATH: process.env.PATH ?? "", HOME: this.folder, TMPDIR: this.folder, ...compileCache() },
    });
    this.exited = once(this.process, "exit");
    this.client = createProtocolConnection(
      new StreamMessageReader(this.process.stdout),
      new StreamMessageWriter(this.process.stdin),
    );
    this.client.onNotification("window/showMessage", ({ message }) => void this.messages.push(message));
    this.client.onNotification("textDocument/publishDiagnostics", (shown) => {
      this.diagnostics.push(shown);
    });
  }

  write(path: string, contents: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), contents);
  }

  uri(path: string): string {
    return pathToFileURL(join(this.folder, path)).href;
  }

  async start(): Promise<this> {
    this.client.listen();
    await this.client.sendRequest("initialize", {
      processId: process.pid,
      capabilities: {},
      workspaceFolders: [{ uri: pathToFileURL(this.folder).href, name: "work" }],
    });
    await this.client.sendNotification("initialized", {});
    return this;
  }

  async open(uri: string, text: string): Promise<void> {
    const textDocument = { uri, languageId: "python", version: 1, text };
    await this.client.sendNotification("textDocument/didOpen", { textDocument });
  }

  edits(uri: string, lines?: [number, number]): Promise<TextEdit[]> {
    const params = { textDocument: { uri }, options: { tabSize: 2, insertSpaces: true } };
    if (lines === undefined) return this.client.sendRequest("textDocument/formatting", params);
    const range = { start: { line: lines[0], character: 0 }, end: { line: lines[1], character: 0 } };
    return this.client.sendRequest("textDocument/rangeFormatting", { ...params, range });
  }

  /** The text after the edits, put in by the client's own library. */
  async format(path: string, text: string, lines?: [number, number]): Promise<string> {
    const uri = path.includes(":") ? path : this.uri(path);
    await this.open(uri, text);
    return TextDocument.applyEdits(TextDocument.create(uri, "python", 1, text), await this.edits(uri, lines));
  }

  async end(): Promise<void> {
    if (this.process.exitCode === null) this.process.kill();
    await this.exited;
    this.client.dispose();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
