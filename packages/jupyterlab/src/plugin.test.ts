import { describe, expect, it } from "vitest";
import { cell, file, notebook, openPage } from "../test/fake-page.ts";

const sourcesOf = ({ content }: ReturnType<typeof notebook>): string[] =>
  content.widgets.map(({ model }) => model.sharedModel.getSource());

describe("notebooks", () => {
  it("formats the cell with the cursor alone, as one step", async () => {
    const panel = notebook([cell("x=1\ny = 1\nz=1"), cell("z=1")]);
    const page = await openPage(panel);
    await page.run("jetblack:format-cell");
    expect(sourcesOf(panel)).toEqual(["x = 1\ny = 1\nz = 1", "z=1"]);
    expect(panel.content.widgets[0]!.model.sharedModel.steps).toEqual(["x=1\ny = 1\nz=1"]);
    expect(page.status()).toBe("Jetblack: formatted");
  });

  it("formats all Python cells and says which one is not Python", async () => {
    const kept = ["%%bash\necho  x", "x  = (\n", "%%time\nx=1 +"];
    const panel = notebook([
      cell("x=1;"),
      ...kept.map((source) => cell(source)),
      cell("# x=1", { type: "markdown" }),
      cell("x=1", { type: "raw" }),
      cell("x=1", { editable: false }),
      cell("%time x\ny=1"),
    ]);
    const page = await openPage(panel);
    await page.run("jetblack:format-all-cells");
    expect(sourcesOf(panel)).toEqual(["x = 1;", ...kept, "# x=1", "x=1", "x=1", "%time x\ny = 1"]);
    expect(page.status()).toMatch(/^Jetblack: not formatted: cell 3, line \d+, column \d+: /);
    panel.context.model.contentChanged.emit();
    expect(page.status()).toBe("");
  });

  it("leaves other languages and what cannot be saved alone", async () => {
    for (const panel of [
      notebook([cell("x=1")], { language: "R" }),
      notebook([cell("x=1")], { writable: false }),
    ]) {
      const page = await openPage(panel);
      await page.run("jetblack:format-all-cells");
      await page.run("jetblack:format-cell");
      expect(sourcesOf(panel)).toEqual(["x=1"]);
    }
  });

  it("formats by the button, and without a status bar tells failures otherwise", async () => {
    const panel = notebook([cell("x=1"), cell("x = (")]);
    const page = await openPage(panel, { hasStatusBar: false });
    await page.buttons.get("Notebook")!.onClick();
    expect(sourcesOf(panel)).toEqual(["x = 1", "x = ("]);
    expect(page.notifications).toEqual([expect.stringMatching(/cell 2, line 1, column/)]);
  });

  it("says what is wrong with a setting", async () => {
    const panel = notebook([cell("x=1")]);
    const page = await openPage(panel, { settings: { targetVersions: ["py27"] } });
    await page.run("jetblack:format-cell");
    expect(sourcesOf(panel)).toEqual(["x=1"]);
    expect(page.status()).toContain("py27");
  });
});

describe("saving", () => {
  it("leaves the text alone unless that is wanted", async () => {
    const panel = notebook([cell("x=1")]);
    await (await openPage(panel)).save();
    expect(sourcesOf(panel)).toEqual(["x=1"]);
  });

  it("formats before it writes, but not when a timer saves", async () => {
    const panel = notebook([cell("x=1"), cell("x = (")]);
    const page = await openPage(panel, { settings: { formatOnSave: true } });
    page.autosave();
    expect(sourcesOf(panel)).toEqual(["x=1", "x = ("]);
    await page.save();
    expect(sourcesOf(panel)).toEqual(["x = 1", "x = ("]);
    expect(page.status()).toContain("cell 2, line 1, column");
    panel.content.widgets[0]!.model.sharedModel.updateSource(0, 5, "y=2");
    page.autosave();
    expect(sourcesOf(panel)[0]).toBe("y=2");
  });

  it("formats Python files, and no others", async () => {
    const settings = { formatOnSave: true };
    for (const [path, expected] of [
      ["a.py", "x = 1\n"],
      ["a.pyi", "x = 1\n"],
      ["a.txt", "x=1"],
      ["a.ipynb", "x=1"],
    ] as const) {
      const panel = file("x=1", path);
      await (await openPage(panel, { settings })).save();
      expect(panel.content.model.sharedModel.getSource()).toBe(expected);
    }
  });
});

describe("files", () => {
  it("formats and keeps the selection", async () => {
    const panel = file("x=1\ncall( a,b )", "a.py");
    const place = { line: 1, column: 7 };
    panel.content.editor.setSelection({ start: place, end: place });
    await (await openPage(panel)).run("jetblack:format-file");
    expect(panel.content.model.sharedModel.getSource()).toBe("x = 1\ncall(a, b)\n");
    expect(panel.content.editor.getSelection().start).toEqual({ line: 1, column: 6 });
  });

  it("has its command and its button for Python only", async () => {
    const python = await openPage(file("x=1", "a.py"));
    expect(python.isEnabled("jetblack:format-file")).toBe(true);
    expect(python.isEnabled("jetblack:format-cell")).toBe(false);
    expect(python.buttons.get("Editor")!.isHidden).toBe(false);
    const text = await openPage(file("x=1", "a.txt"));
    expect(text.isEnabled("jetblack:format-file")).toBe(false);
    expect(text.buttons.get("Editor")!.isHidden).toBe(true);
  });
});

describe("a project", () => {
  const files = {
    "pyproject.toml": "[tool.black]\nline-length = 10\n",
    "src/pyproject.toml": "[project]\nname = 'other'\n",
    "lib/pyproject.toml": "[tool.jetblack]\nskip-string-normalization = true\nforce-exclude = '/made/'\n",
  };
  const text = (panel: ReturnType<typeof file>): string => panel.content.model.sharedModel.getSource();

  it.each([
    ["src/deep/a.py", 'f(aaa, "b")\n', 'f(\n    aaa,\n    "b",\n)\n'],
    ["lib/a.py", "f( aaa,'b' )\n", "f(aaa, 'b')\n"],
    ["lib/made/a.py", "f( aaa,'b' )\n", "f( aaa,'b' )\n"],
    ["RTC:lib/a.py", "f( aaa,'b' )\n", "f(aaa, 'b')\n"],
  ])("says how %s is formatted, before JupyterLab's settings do", async (path, source, expected) => {
    const panel = file(source, path);
    const page = await openPage(panel, {
      files,
      settings: { lineLength: 40, skipStringNormalization: false },
    });
    await page.run("jetblack:format-file");
    expect(text(panel)).toBe(expected);
  });

  it("holds when saving, also after it was changed in another tab", async () => {
    const panel = file("f(aaa, 'b')\n", "lib/a.py");
    const page = await openPage(panel, { files: { ...files }, settings: { formatOnSave: true } });
    const saved = async <T>(what: () => T): Promise<T> => {
      await page.save();
      return what();
    };
    await expect.poll(() => saved(page.status)).toBe("");
    expect(text(panel)).toBe("f(aaa, 'b')\n");
    page.change("lib/pyproject.toml", "[tool.black]\nline-length = 1\n");
    await expect.poll(() => saved(() => text(panel))).toBe('f(\n    aaa,\n    "b",\n)\n');
  });

  it("is named when it is wrong, and nothing is formatted", async () => {
    const panel = file("x=1", "a.py");
    const wrong = { "pyproject.toml": "[tool.black]\nline-lenght = 10\n" };
    const page = await openPage(panel, { files: wrong, settings: { formatOnSave: true } });
    await page.run("jetblack:format-file");
    expect(page.status()).toContain("line-lenght");
    await page.save();
    expect(text(panel)).toBe("x=1");
    expect(page.status()).toContain("line-lenght");
  });
});
