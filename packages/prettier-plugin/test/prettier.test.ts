import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { format as jetblack } from "jetblack";
import { format, type Options } from "prettier";
import { afterAll, describe, expect, it, test } from "vitest";
import plugin from "../src/index.ts";

const folder = mkdtempSync(join(tmpdir(), "prettier-plugin-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const python = (source: string, options: Options = {}): Promise<string> =>
  format(source, { parser: "python", plugins: [plugin], ...options });

const markdown = (source: string, options: Options = {}): Promise<string> =>
  format(source, { parser: "markdown", plugins: [plugin], ...options });

describe("a Python file", () => {
  it("comes out as from Jetblack", async () => {
    const source = 'class A:\n    def f(self): return { \'a\':1, \'b\':"""x  \n\n y""" }\n';
    expect(await python(source)).toBe(jetblack(source));
  });

  it("has Black's width, unless Prettier is told one", async () => {
    const line = `x = call(${"a".repeat(40)}, ${"b".repeat(34)})\n`;
    expect(await python(line)).toBe(line);
    expect(await python(line, { printWidth: 80 })).toBe(jetblack(line, { lineLength: 80 }));
  });

  test.each([
    ["pythonSkipStringNormalization", true, { stringNormalization: false }],
    ["pythonSkipMagicTrailingComma", true, { magicTrailingComma: false }],
    ["pythonTargetVersions", ["py27x"], undefined],
    ["pythonTargetVersions", ["py314"], { targetVersions: ["py314"] }],
    ["pythonPreview", true, { preview: true }],
    ["pythonUnstable", true, { unstable: true }],
    [
      "pythonEnableUnstableFeatures",
      ["string_processing"],
      { enableUnstableFeatures: ["string_processing"] },
    ],
    ["pythonEnableUnstableFeatures", ["no_such"], undefined],
  ] as const)("obeys %s=%j", async (name, value, expected) => {
    const source = `x = ['a',]\ntry: pass\nexcept (A, B): pass\ny = call('${"text ".repeat(30)}')\n`;
    const formatted = python(source, { [name]: value } as Options);
    if (expected === undefined) await expect(formatted).rejects.toThrow(/py27x|no_such/);
    else expect(await formatted).toBe(jetblack(source, expected as never));
  });

  it("is a stub by its name", async () => {
    const source = "def f():\n    ...\ndef g():\n    ...\n";
    expect(await python(source, { filepath: "a.pyi" })).toBe(jetblack(source, { isPyi: true }));
  });

  it("keeps its line ends where Prettier is told so", async () => {
    expect(await python("x='a'\r\ny=1\r\n", { endOfLine: "auto" })).toBe('x = "a"\r\ny = 1\r\n');
  });

  it("that cannot be parsed is an error with a place", async () => {
    await expect(python("x = (\n  1\n")).rejects.toMatchObject({
      name: "SyntaxError",
      loc: { start: { line: 2 } },
    });
  });
});

describe("a selection", () => {
  const source = "a  = 1\nb  = 2\n\n\n\nc  = 3\nd  = 4\n";
  const select = (text: string, from: string, to: string): Promise<string> =>
    python(text, { rangeStart: text.indexOf(from), rangeEnd: text.indexOf(to) + to.length });

  it("is formatted, the rest is not", async () => {
    expect(await select(source, "b  =", "b  = 2")).toBe("a  = 1\nb = 2\n\n\n\nc  = 3\nd  = 4\n");
    expect(await select(source, "d", "4")).toBe("a  = 1\nb  = 2\n\n\n\nc  = 3\nd = 4\n");
    expect(await select(source, "a", "2")).toBe("a = 1\nb = 2\n\n\n\nc  = 3\nd  = 4\n");
  });

  it("within an indented block keeps its place", async () => {
    const text = "if a:\n    if b:\n        x  = '''\n  y  \n'''\n        y  = 1\n";
    expect(await select(text, "x  =", "'''\n  y")).toBe(
      text.replace("x  = '''", 'x = """').replace("\n'''\n", '\n"""\n'),
    );
  });

  it("comes out as Black's line ranges do", async () => {
    const statement = fc.constantFrom(
      "x  = 1",
      "f( a,b )",
      "if a:\n    b  = 2\n    c( d )",
      "",
      "# c",
      "def g( ):\n  return(1)",
      "y = '''\n a  \n'''",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(statement, { minLength: 1, maxLength: 8 }),
        fc.nat(),
        fc.nat(),
        async (parts, a, b) => {
          const text = `z  = 0\n${parts.join("\n")}\nw  = 0\n`;
          const lines = text.split("\n").length - 1;
          const [first, last] = [(a % lines) + 1, (b % lines) + 1].sort((x, y) => x - y) as [number, number];
          const offset = (line: number): number => text.split("\n").slice(0, line).join("\n").length;
          const [rangeStart, rangeEnd] = [first === 1 ? 0 : offset(first - 1) + 1, offset(last)];
          fc.pre(rangeStart > 0 || rangeEnd < text.length);
          expect(await python(text, { rangeStart, rangeEnd })).toBe(
            jetblack(text, { lineRanges: [[first, last]] }),
          );
        },
      ),
    );
  });
});

describe("Python in Markdown", () => {
  it("is formatted, in lists too", async () => {
    const source =
      "# A\n\n- item\n\n  ```python\n  x = { 'a':1 }\n\n\n  def f(): pass\n  ```\n\n```py\ny  = 1\n```\n\n```text\nz  = 1\n```\n";
    expect(await markdown(source)).toBe(
      '# A\n\n- item\n\n  ```python\n  x = {"a": 1}\n\n\n  def f():\n      pass\n  ```\n\n```py\ny = 1\n```\n\n```text\nz  = 1\n```\n',
    );
  });

  it("that cannot be parsed stays as it is", async () => {
    const source = "```python\n>>> x  = 1\n```\n";
    expect(await markdown(source)).toBe(source);
  });
});

describe("Python in HTML", () => {
  const html = (source: string): Promise<string> => format(source, { parser: "html", plugins: [plugin] });

  it("is formatted where its language is named, and indented as a whole, strings too", async () => {
    const formatted = '<script lang="python">\n  if a:\n      x = """b\n    c"""\n</script>\n';
    expect(await html("<script lang=\"python\">\nif a: x = '''b\n  c'''\n</script>\n")).toBe(formatted);
    expect(await html(formatted)).toBe(formatted);
  });

  it("stays as it is where only a type is named, of which Prettier has a list, or where it cannot be parsed", async () => {
    for (const source of [
      '<script type="text/python">\n  x  = 1\n</script>\n',
      '<script lang="python">\n  x = (\n</script>\n',
    ])
      expect(await html(source)).toBe(source);
  });
});

it("Prettier's command line formats a folder with Python and Markdown", () => {
  const cli = join(
    dirname(createRequire(import.meta.url).resolve("prettier/package.json")),
    "bin/prettier.cjs",
  );
  const bundle = join(folder, "plugin");
  execFileSync(
    process.execPath,
    [
      join(import.meta.dirname, "../../../node_modules/rolldown/bin/cli.mjs"),
      "-c",
      "rolldown.config.ts",
      "-d",
      bundle,
    ],
    {
      cwd: join(import.meta.dirname, ".."),
      stdio: "pipe",
    },
  );
  writeFileSync(
    join(folder, ".prettierrc"),
    JSON.stringify({ plugins: [join(bundle, "index.js")], pythonSkipStringNormalization: true }),
  );
  symlinkSync(join(import.meta.dirname, "../../../node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "a.py"), "x = 'a'  \n");
  writeFileSync(join(folder, "b.pyi"), "def f( ): ...\n");
  writeFileSync(join(folder, "c.md"), "```python\nx  = 1\n```\n");
  writeFileSync(join(folder, "broken.py"), "x = = 1\n");
  const { status, stderr } = spawnSync(process.execPath, [cli, "--write", "."], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(stderr).toMatch(/broken\.py: SyntaxError: .*\(1:5\)/);
  expect(status).toBe(2);
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  expect([read("a.py"), read("b.pyi"), read("c.md"), read("broken.py")]).toEqual([
    "x = 'a'\n",
    "def f(): ...\n",
    "```python\nx = 1\n```\n",
    "x = = 1\n",
  ]);
});
