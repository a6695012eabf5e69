import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it, test } from "vitest";
import { bundledForTests } from "../../../tools/bundles.ts";
import type * as Editor from "../src/editor/index.ts";

/** As pages load it: one file in which Node's modules are stood for. */
let file = "";
let editor: typeof Editor;
beforeAll(async () => {
  file = join(await bundledForTests("formatter"), "dist/editor/index.js");
  editor = (await import(pathToFileURL(file).href)) as typeof Editor;
});

const format = (
  text: string,
  path: string,
  values: Record<string, unknown> = {},
  more: object = {},
): string => editor.applyEdits(text, editor.formatSource({ text, path, ...more }, editor.settingsOf(values)));

const notebook = (source: string): string =>
  JSON.stringify({ cells: [{ cell_type: "code", source: [source] }], metadata: {}, nbformat: 4 });

describe("jetblack/editor", () => {
  it("imports nothing", () => {
    expect(readFileSync(file, "utf8")).not.toMatch(/\bimport\s*[("'{]|\brequire\(/);
  });

  test.each([
    ["a module", "x = { 'a':1 }\r\n", "a.py", {}, {}, 'x = {"a": 1}\r\n'],
    ["a stub by its name", "def f():\n    ...\n", "b/a.pyi", {}, {}, "def f(): ...\n"],
    [
      "settings by the names of pyproject.toml",
      "f(a, b)\n",
      "a.py",
      { "line-length": 5 },
      {},
      "f(\n    a,\n    b,\n)\n",
    ],
    ["lines", "a  = 1\nb  = 2\n", "a.py", {}, { ranges: [[2, 2]] }, "a  = 1\nb = 2\n"],
    ["a cell", "%time\nx  = 1;", "a.ipynb", {}, { isCell: true }, "%time\nx = 1;"],
    ["a cell that is no Python", "!ls  -l | x (", "a.ipynb", {}, { isCell: true }, "!ls  -l | x ("],
    [
      "what force-exclude leaves alone",
      "x  = 1\n",
      "gen/a.py",
      { "force-exclude": "^/gen/" },
      {},
      "x  = 1\n",
    ],
    ["a file without a name's end", "x  = 1\n", ".py", {}, {}, "x = 1\n"],
  ] as const)("formats %s", (_name, text, path, values, more, expected) => {
    expect(format(text, path, values, more)).toBe(expected);
  });

  it("formats a notebook's text", () => {
    const output = JSON.parse(format(notebook("x  = 1"), "a.ipynb")) as { cells: { source: string[] }[] };
    expect(output.cells[0]!.source).toEqual(["x = 1"]);
  });

  it("reads a project's file as the command line does", () => {
    const project = editor.projectSettings("[tool.black]\nline-length = 5\n", "pyproject.toml");
    expect(editor.formatSource({ text: "f(a, b)\n", path: "a.py" }, project).edits).toHaveLength(1);
    expect(() => editor.projectSettings("[tool.black]\nline-lenght = 5\n", "p.toml")).toThrow(
      /Did you mean 'line-length'/,
    );
    expect(() => editor.projectSettings("[tool.black]\nrequired-version = '1'\n", "p.toml")).toThrow(
      /requires version 1/,
    );
    expect(editor.hasOwnTable("[tool.jetblack]\n", "")).toBe(true);
    expect(editor.hasOwnTable("[tool.ruff]\n", "")).toBe(false);
    expect(editor.hasOwnTable("no = toml = ", "")).toBe(false);
  });

  it("says where a source cannot be parsed, and leaves it", () => {
    const { edits, diagnostics, message } = editor.formatSource(
      { text: "x = 1\ny = = 2\n", path: "a.py" },
      editor.settingsOf({}),
    );
    expect({ edits, message }).toEqual({ edits: [], message: undefined });
    expect(diagnostics.map(({ range }) => range.start)).toEqual([{ line: 1, character: 4 }]);
  });

  it("says why a notebook that is no JSON stays", () => {
    const { edits, message } = editor.formatSource({ text: "{", path: "a.ipynb" }, editor.settingsOf({}));
    expect(edits).toEqual([]);
    expect(message).toMatch(/^a\.ipynb cannot be formatted: /);
  });
});
