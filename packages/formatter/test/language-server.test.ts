import { afterEach, describe, expect, it } from "vitest";
import type { TextEdit } from "vscode-languageserver-protocol/node";
import { Editor } from "./editor.ts";

const editors: Editor[] = [];
afterEach(async () => {
  for (const editor of editors.splice(0)) await editor.end();
});

function newEditor(): Editor {
  const editor = new Editor();
  editors.push(editor);
  return editor;
}

describe("the language server", () => {
  it("formats whole documents, with edits for the lines that change only", async () => {
    const editor = await newEditor().start();
    const text = "a = 1\nb  = 'x'\nc = 3\nd = f( 4 )\ne = 5";
    await editor.open(editor.uri("a.py"), text);
    expect(await editor.edits(editor.uri("a.py"))).toEqual([
      { range: { start: { line: 1, character: 0 }, end: { line: 2, character: 0 } }, newText: 'b = "x"\n' },
      {
        range: { start: { line: 3, character: 0 }, end: { line: 4, character: 5 } },
        newText: "d = f(4)\ne = 5\n",
      },
    ]);
    expect(await editor.format("b.py", "x = 1\n")).toBe("x = 1\n");
    expect(await editor.format("c.py", "\n\n")).toBe("\n");
    expect(await editor.format("d.py", "x = 'a'\r\nif x :\r\n  pass")).toBe(
      'x = "a"\r\nif x:\r\n    pass\r\n',
    );
    expect(await editor.format("e.pyi", "def f(): ...\n\n\ndef g(): ...\n")).toBe(
      "def f(): ...\ndef g(): ...\n",
    );
    expect(await editor.format("untitled:Untitled-1", "x=1")).toBe("x = 1\n");
  });

  it("formats the lines of a range only", async () => {
    const editor = await newEditor().start();
    expect(await editor.format("a.py", "a=1\nb=2\nc=3\n", [1, 2])).toBe("a=1\nb = 2\nc=3\n");
    const uri = editor.uri("a.py");
    const line = (at: number): object => ({
      start: { line: at, character: 0 },
      end: { line: at, character: 1 },
    });
    const edits = await editor.client.sendRequest("textDocument/rangesFormatting", {
      textDocument: { uri },
      ranges: [line(2), line(0)],
      options: { tabSize: 4, insertSpaces: true },
    });
    expect((edits as TextEdit[]).map(({ newText }) => newText)).toEqual(["a = 1\n", "c = 3\n"]);
    editor.write("pyproject.toml", "[tool.black]\nskip-source-first-line = true\n");
    expect(await editor.format("b.py", "a=1\nb=2\nc=3\n", [1, 2])).toBe("a=1\nb = 2\nc=3\n");
    expect(await editor.format("c.py", "a=1\nb=2\nc=3\n", [0, 1])).toBe("a=1\nb=2\nc=3\n");
  });

  it("follows incremental changes, in UTF-16 positions", async () => {
    const editor = await newEditor().start();
    const uri = editor.uri("a.py");
    await editor.open(uri, "x = '😀'\ny = 1\n");
    await editor.client.sendNotification("textDocument/didChange", {
      textDocument: { uri, version: 2 },
      contentChanges: [
        { range: { start: { line: 0, character: 7 }, end: { line: 0, character: 7 } }, text: "ab" },
        { range: { start: { line: 1, character: 0 }, end: { line: 2, character: 0 } }, text: "" },
      ],
    });
    expect((await editor.edits(uri)).map(({ newText }) => newText)).toEqual(['x = "😀ab"\n']);
  });

  it("reads each document's own project, anew each time", async () => {
    const editor = await newEditor().start();
    editor.write(
      "one/pyproject.toml",
      "[tool.black]\nskip-string-normalization = true\nforce-exclude = 'kept'\n",
    );
    editor.write("two/pyproject.toml", "[tool.jetblack]\nline-length = 10\n");
    expect(await editor.format("one/a.py", "x  = 'a'\n")).toBe("x = 'a'\n");
    expect(await editor.format("one/kept.py", "x  = 'a'\n")).toBe("x  = 'a'\n");
    expect(await editor.format("two/a.py", "f(aaaa, bbbb)\n")).toBe("f(\n    aaaa,\n    bbbb,\n)\n");
    editor.write("two/pyproject.toml", "[tool.jetblack]\nline-lenght = 10\n");
    expect(await editor.format("two/a.py", "f(aaaa,bbbb)\n")).toBe("f(aaaa,bbbb)\n");
    expect(editor.messages).toEqual([expect.stringMatching(/two\/a\.py.*Did you mean 'line-length'\?/)]);
    editor.write("two/pyproject.toml", "[tool.jetblack]\nrequired-version = '1'\n");
    expect(await editor.format("two/a.py", "x=1\n")).toBe("x=1\n");
    expect(editor.messages.at(-1)).toContain("requires version 1");
  });

  it("shows a syntax error at its place until the document changes", async () => {
    const editor = await newEditor().start();
    const uri = editor.uri("a.py");
    expect(await editor.format("a.py", "\n\nx = 1\ny = '😀' )\n")).toBe("\n\nx = 1\ny = '😀' )\n");
    expect(editor.diagnostics).toMatchObject([{ uri, diagnostics: [{ severity: 1, source: "jetblack" }] }]);
    expect(editor.diagnostics[0]!.diagnostics[0]!.range.start).toEqual({ line: 3, character: 9 });
    await editor.client.sendNotification("textDocument/didChange", {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text: "x=1\n" }],
    });
    expect(await editor.edits(uri)).toHaveLength(1);
    expect(editor.diagnostics.slice(1)).toEqual([{ uri, diagnostics: [] }]);
    expect(editor.messages).toEqual([]);
  });

  it("formats a notebook's text and tells of one that is none", async () => {
    const editor = await newEditor().start();
    const notebook = (code: string): string =>
      `${JSON.stringify({ cells: [{ cell_type: "code", execution_count: null, metadata: {}, outputs: [], source: [code] }], metadata: { language_info: { name: "python" } }, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;
    expect(await editor.format("a.ipynb", notebook("x = 'a'"))).toBe(notebook('x = "a"'));
    expect(await editor.format("b.ipynb", "{")).toBe("{");
    expect(await editor.format("c.ipynb", "[]")).toBe("[]");
    expect(await editor.format("d.ipynb", notebook("f("))).toBe(notebook("f("));
    expect(editor.messages).toEqual([
      expect.stringMatching(/b\.ipynb cannot be formatted/),
      expect.stringMatching(/c\.ipynb cannot be formatted: A notebook must be a JSON object/),
      expect.stringMatching(/d\.ipynb cannot be formatted: .*ends inside brackets/),
    ]);
  });

  it("keeps to the order of a session and ends with 0 after shutdown", async () => {
    const editor = newEditor();
    editor.client.listen();
    await expect(editor.edits("file:///a.py")).rejects.toMatchObject({ code: -32002 });
    const answer = await editor.client.sendRequest("initialize", { processId: null, capabilities: {} });
    expect(answer).toMatchObject({
      capabilities: {
        documentFormattingProvider: true,
        documentRangeFormattingProvider: { rangesSupport: true },
      },
      serverInfo: { name: "jetblack" },
    });
    await expect(editor.edits("file:///a.py")).rejects.toMatchObject({ code: -32602 });
    await expect(editor.client.sendRequest("textDocument/hover", {})).rejects.toMatchObject({ code: -32601 });
    await editor.client.sendRequest("shutdown");
    await expect(editor.edits("file:///a.py")).rejects.toMatchObject({ code: -32600 });
    await editor.client.sendNotification("exit");
    expect(await editor.exited).toEqual([0, null]);
  });
});

/** Writes bytes to a new server and returns what it said until it ended. */
async function speak(...chunks: string[]): Promise<{ exitCode: unknown; stdout: string; stderr: string }> {
  const { process: server, exited } = newEditor();
  let stdout = "";
  let stderr = "";
  server.stdout.on("data", (chunk) => (stdout += chunk));
  server.stderr.on("data", (chunk) => (stderr += chunk));
  server.stdin.on("error", () => undefined);
  for (const chunk of chunks) server.stdin.write(chunk);
  server.stdin.end();
  const [exitCode] = await exited;
  return { exitCode, stdout, stderr };
}

const framed = (body: string): string => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

describe("hostile input to the language server", () => {
  it.each([
    ["no length", "Content-Type: text\r\n\r\n{}", "no Content-Length"],
    ["a length that is none", "Content-Length: -1\r\n\r\n{}", "no Content-Length"],
    ["a message beyond the limit", "Content-Length: 999999999\r\n\r\n{}", "beyond the limit"],
    ["a header without an end", "x".repeat(5000), "longer than 4096 bytes"],
  ])("ends with a reason on %s", async (_name, input, reason) => {
    const { exitCode, stdout, stderr } = await speak(input);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(reason);
  });

  it("ends with 1 when the client leaves without a word", async () => {
    expect(await speak()).toMatchObject({ exitCode: 1, stderr: "" });
    expect(await speak(framed('{"jsonrpc":"2.0","method":"exit"}'))).toMatchObject({ exitCode: 1 });
  });

  it("answers what is no message, or has wrong parameters, and goes on", async () => {
    const { stdout } = await speak(
      framed("{"),
      framed("[]"),
      framed('{"id":1}'),
      framed('{"id":2,"method":7}'),
      framed('{"id":3,"method":"initialize","params":{"processId":null}}'),
      framed('{"method":"textDocument/didOpen","params":{"textDocument":{"uri":1}}}'),
      framed('{"id":4,"method":"textDocument/rangeFormatting","params":{}}').replace("\r\n", "\r\nX: y\r\n"),
    );
    const codes = [...stdout.matchAll(/"id":(\w+),"error":\{"code":(-\d+)/g)].map(([, id, code]) => [
      id,
      code,
    ]);
    expect(codes).toEqual([
      ["null", "-32700"],
      ["null", "-32600"],
      ["null", "-32600"],
      ["4", "-32602"],
    ]);
    expect(stdout).toContain("textDocument.uri is a text");
  });
});
