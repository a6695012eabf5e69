/** Inputs that the report shortens, by the case's title. */
const makers: readonly (readonly [RegExp, (count: number) => string])[] = [
  [/^nested parens n=(\d+)$/, (count) => `x = ${"(".repeat(count)}1${")".repeat(count)}\n`],
  [/^nested lists n=(\d+)$/, (count) => `x = ${"[".repeat(count)}1${"]".repeat(count)}\n`],
  [/^nested if blocks n=(\d+)$/, nestedIfs],
  [/^1\+1\+\.\.\. (\d+) terms$/, (count) => `x = ${Array(count).fill("1").join("+")}\n`],
  [/^notebook --python-cell-magics custom$/, () => `${notebook(["%%custom\nx='a'", "%%bash\nx='a'"], 1)}\n`],
  [/^notebook diff$/, () => `${notebook(["x='a'", "y='b'"], 1)}\n`],
  [/^notebook no trailing newline/, () => notebook(["x='é'"], 2).replace("é", "\\u00e9")],
  [/^notebook magics, many cells$/, () => `${notebook(magicCells, 1)}\n`],
];

const magicCells = [
  "%%time\nx='a'",
  "!ls -la\nx='a'",
  "%matplotlib inline\nimport a,b",
  "x='a';",
  "x='a';\n\n",
  "get_ipython().run_line_magic('m','x')\nx='a'",
  "x = !ls",
  "x = %env HOME\ny='b'",
  "%%bash\necho 'a'",
  "%%timeit -n 3\nx='a'",
  "%%custom\nx='a'",
  "?print",
  "print??",
  "x = 'a'\n?x",
  "def f(:",
  "",
  "   ",
  "# c",
  "for i in range(3):\n    !echo $i\n    y='a'",
  "x='a'  ;  # foo",
  "await f( )",
  "%time foo( 1 )",
  "%%writefile a.py\nx='a'",
  "f(x);",
  "%pip install x",
  "!!ls",
  ">x",
  "/foo 1",
  ",foo a b",
  "x='a'\n%load_ext foo\n\n\ny='b'",
];

/** Makes the input of a case again; `size` is its length in the report. */
export function restoreInput(title: string, size: number): Buffer {
  for (const [pattern, make] of makers) {
    const match = pattern.exec(title);
    if (match === null) continue;
    const bytes = Buffer.from(make(Number(match[1] ?? 0)));
    if (bytes.length === size) return bytes;
    throw new Error(`the input of "${title}" has ${size} bytes; the one made again has ${bytes.length}`);
  }
  throw new Error(`the input of "${title}" cannot be made again`);
}

function nestedIfs(count: number): string {
  const lines = Array.from({ length: count }, (_, depth) => `${" ".repeat(depth)}if x:\n`);
  return `${lines.join("")}${" ".repeat(count)}pass\n`;
}

function notebook(cells: readonly string[], indent: number): string {
  const document = {
    cells: cells.map((source) => ({
      cell_type: "code",
      execution_count: null,
      metadata: {},
      outputs: [],
      source: source.match(/[^\n]*\n|[^\n]+$/g) ?? [],
    })),
    metadata: {
      kernelspec: { display_name: "Python 3", language: "python", name: "python3" },
      language_info: { name: "python" },
    },
    nbformat: 4,
    nbformat_minor: 5,
  };
  return JSON.stringify(document, undefined, indent);
}
