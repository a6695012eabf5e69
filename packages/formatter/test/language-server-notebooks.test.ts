import { afterEach, describe, expect, it } from "vitest";
import type {
  DidOpenNotebookDocumentParams,
  NotebookCell,
  NotebookDocumentChangeEvent,
  TextDocumentItem,
} from "vscode-languageserver-protocol/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { Editor } from "./editor.ts";

/** An editor with one notebook, whose cells are named by numbers. */
class NotebookEditor extends Editor {
  notebook = "";

  cellUri(cell: number): string {
    return `vscode-notebook-cell:${new URL(this.notebook).pathname}#W${cell}`;
  }

  cell(cell: number, kind: 1 | 2 = 2): NotebookCell {
    return { kind, document: this.cellUri(cell) };
  }

  text(cell: number, text: string, languageId = "python"): TextDocumentItem {
    return { uri: this.cellUri(cell), languageId, version: 1, text };
  }

  async openNotebook(
    path: string,
    texts: readonly string[],
    change: Partial<DidOpenNotebookDocumentParams["notebookDocument"]> = {},
  ): Promise<void> {
    this.notebook = path.includes(":") ? path : this.uri(path);
    const cells = texts.map((_, i) => this.cell(i));
    const { notebook: uri } = this;
    await this.client.sendNotification("notebookDocument/didOpen", {
      notebookDocument: { uri, notebookType: "jupyter-notebook", version: 1, cells, ...change },
      cellTextDocuments: texts.map((text, i) => this.text(i, text)),
    });
  }

  async change(change: NotebookDocumentChangeEvent): Promise<void> {
    await this.client.sendNotification("notebookDocument/didChange", {
      notebookDocument: { uri: this.notebook, version: 2 },
      change,
    });
  }

  async formatCell(cell: number, text: string, lines?: [number, number]): Promise<string> {
    const uri = this.cellUri(cell);
    return TextDocument.applyEdits(TextDocument.create(uri, "python", 1, text), await this.edits(uri, lines));
  }

  /** Opens a notebook of the cells and returns what becomes of each. */
  async formatCells(texts: readonly string[]): Promise<string[]> {
    await this.openNotebook("a.ipynb", texts);
    const formatted: string[] = [];
    for (const [i, text] of texts.entries()) formatted.push(await this.formatCell(i, text));
    return formatted;
  }
}

const editors: NotebookEditor[] = [];
afterEach(async () => {
  for (const editor of editors.splice(0)) await editor.end();
});

async function newEditor(): Promise<NotebookEditor> {
  const editor = new NotebookEditor();
  editors.push(editor);
  return editor.start();
}

describe("the cells of an open notebook", () => {
  it("are asked for when they are Python", async () => {
    const editor = new NotebookEditor();
    editors.push(editor);
    editor.client.listen();
    const answer = await editor.client.sendRequest("initialize", { processId: null, capabilities: {} });
    expect(answer).toMatchObject({
      capabilities: { notebookDocumentSync: { notebookSelector: [{ cells: [{ language: "python" }] }] } },
    });
  });

  it("are formatted one by one, as Black formats those of a file", async () => {
    const editor = await newEditor();
    const cells = [
      ["x = 'a'", 'x = "a"'],
      ["x = 1\n", "x = 1"],
      ["%matplotlib inline\nf( x );", "%matplotlib inline\nf(x);"],
      ["!ls  *\nx=1", "!ls  *\nx = 1"],
      ["%%time\nx  =  1", "%%time\nx = 1"],
      ["%%bash\nls  -l", "%%bash\nls  -l"],
      ["x = 'a'\r\nif x :\r\n  pass", 'x = "a"\r\nif x:\r\n    pass'],
      ["", ""],
      ["x = '''a\n'''\ny=1", 'x = """a\n"""\ny = 1'],
    ] as const;
    expect(await editor.formatCells(cells.map(([text]) => text))).toEqual(cells.map(([, text]) => text));
    expect([editor.messages, editor.diagnostics]).toEqual([[], []]);
  });

  it("have the options of the notebook's project", async () => {
    const editor = await newEditor();
    editor.write(
      "pyproject.toml",
      "[tool.black]\nskip-string-normalization = true\npython-cell-magics = ['mine']\nforce-exclude = 'kept'\n",
    );
    expect(await editor.formatCells(["x  = 'a'", "%%mine\nx=1"])).toEqual(["x = 'a'", "%%mine\nx = 1"]);
    await editor.openNotebook("kept.ipynb", ["x=1"]);
    expect(await editor.formatCell(0, "x=1")).toBe("x=1");
    await editor.openNotebook("untitled:Untitled-1.ipynb", ["x='a'"]);
    expect(await editor.formatCell(0, "x='a'")).toBe("x = 'a'");
  });

  it("stay as they are where they are no Python, with the fault shown until they change", async () => {
    const editor = await newEditor();
    const cells = ["\n!ls\n\nx = '😀' )", "f(1", "%%bash\n(", "return", "x=1"];
    expect(await editor.formatCells(cells)).toEqual([...cells.slice(0, 4), "x = 1"]);
    expect(editor.diagnostics.map(({ uri }) => uri)).toEqual([editor.cellUri(0), editor.cellUri(1)]);
    expect(editor.diagnostics.map(({ diagnostics }) => diagnostics[0]!.range.start)).toEqual([
      { line: 3, character: 9 },
      { line: 0, character: 3 },
    ]);
    const document = { uri: editor.cellUri(0), version: 2 };
    await editor.change({ cells: { textContent: [{ document, changes: [{ text: "x=1" }] }] } });
    expect(await editor.formatCell(0, "x=1")).toBe("x = 1");
    await editor.client.sendNotification("notebookDocument/didClose", {
      notebookDocument: { uri: editor.notebook },
      cellTextDocuments: cells.map((_, i) => ({ uri: editor.cellUri(i) })),
    });
    await expect(editor.edits(editor.cellUri(1))).rejects.toMatchObject({ code: -32602 });
    expect(editor.diagnostics.slice(2)).toEqual(
      [0, 1].map((cell) => ({ uri: editor.cellUri(cell), diagnostics: [] })),
    );
    expect(editor.messages).toEqual([]);
  });

  it("tell of a syntax that the target versions do not have, and of a wrong configuration", async () => {
    const editor = await newEditor();
    editor.write("pyproject.toml", "[tool.black]\ntarget-version = ['py37']\n");
    expect(await editor.formatCells(["match x:\n  case 1: a"])).toEqual(["match x:\n  case 1: a"]);
    expect(editor.diagnostics[0]!.diagnostics[0]!.message).toContain("target version Python 3.7");
    editor.write("pyproject.toml", "[tool.black]\nline-lenght = 1\n");
    expect(await editor.formatCell(0, "x=1")).toBe("x=1");
    expect(editor.messages).toEqual([expect.stringContaining("Did you mean 'line-length'?")]);
  });

  it("are formatted in part", async () => {
    const editor = await newEditor();
    const [plain, magic, empty] = ["a=1\nb=2\nc=3\n\n", "%time\na=1\nb=2", "\n\n!ls\na=1\nb=2"];
    await editor.openNotebook("a.ipynb", [plain!, magic!, empty!]);
    expect(await editor.formatCell(0, plain!, [1, 2])).toBe("a=1\nb = 2\nc=3\n\n");
    expect(await editor.formatCell(1, magic!, [1, 2])).toBe("%time\na = 1\nb=2");
    expect(await editor.formatCell(2, empty!, [4, 5])).toBe("!ls\na=1\nb = 2");
  });

  it.each([
    { language_info: { name: "julia" } },
    { metadata: { language_info: { name: "R" }, kernelspec: {} }, cells: [] },
  ])("stay as they are for a kernel that is not Python's: %j", async (metadata) => {
    const editor = await newEditor();
    await editor.openNotebook("a.ipynb", ["x=1"], { metadata });
    expect(await editor.formatCell(0, "x=1")).toBe("x=1");
    await editor.change({ metadata: { language_info: { name: "python" } } });
    expect(await editor.formatCell(0, "x=1")).toBe("x = 1");
  });

  it("come, move, change their kind and go", async () => {
    const editor = await newEditor();
    await editor.openNotebook("a.ipynb", ["a=1", "b=1", "c=1"]);
    await editor.change({
      cells: {
        structure: {
          array: { start: 0, deleteCount: 2, cells: [editor.cell(1), editor.cell(3), editor.cell(4)] },
          didOpen: [editor.text(3, "d=1"), editor.text(4, "e=1", "shellscript")],
          didClose: [{ uri: editor.cellUri(0) }],
        },
        data: [editor.cell(2, 1)],
      },
    });
    await expect(editor.edits(editor.cellUri(0))).rejects.toMatchObject({ code: -32602 });
    expect(await editor.formatCell(1, "b=1")).toBe("b = 1");
    expect(await editor.formatCell(2, "c=1")).toBe("c=1");
    expect(await editor.formatCell(3, "d=1")).toBe("d = 1");
    expect(await editor.formatCell(4, "e=1")).toBe("e=1");
    await editor.client.sendNotification("notebookDocument/didSave", {
      notebookDocument: { uri: editor.notebook },
    });
    expect(editor.messages).toEqual([]);
  });

  it("are told from modules where the client opens them as documents", async () => {
    const editor = await newEditor();
    editor.write("pyproject.toml", "[tool.black]\nskip-string-normalization = true\n");
    const uri = `vscode-notebook-cell:${new URL(editor.uri("a.ipynb")).pathname}#W0`;
    expect(await editor.format(uri, "!ls\nx  = 'a'")).toBe("!ls\nx = 'a'");
  });

  it.each([
    ["notebookDocument/didOpen", { notebookDocument: { uri: "a", cells: 1 } }, "cells is a list"],
    ["notebookDocument/didOpen", { notebookDocument: { uri: "a", cells: [{}] } }, "a cell's document"],
    ["notebookDocument/didChange", { notebookDocument: { uri: "b" }, change: {} }, "not open"],
    ["notebookDocument/didClose", { notebookDocument: { uri: "b" } }, "the closed cells is a list"],
  ])("are refused in a wrong %s: %j", async (method, params, reason) => {
    const editor = await newEditor();
    await editor.client.sendNotification(method, params);
    await expect(editor.edits("file:///a.py")).rejects.toMatchObject({ code: -32602 });
    expect(editor.messages).toEqual([expect.stringContaining(reason)]);
  });
});
