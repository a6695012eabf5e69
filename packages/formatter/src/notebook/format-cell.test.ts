import { describe, expect, it } from "vitest";
import { isValidPython } from "../equivalence/check-equivalence.ts";
import { formatSource } from "../format/format-source.ts";
import { defaultMode } from "../mode/mode.ts";
import { parse } from "../parse/parse.ts";
import { isPythonSpace, splitlines } from "../util/python-text.ts";
import { type CellFormatter, formatCell } from "./format-cell.ts";

function isPython(code: string): boolean {
  try {
    parse(code, []);
    return true;
  } catch {
    return false;
  }
}

const formatter: CellFormatter = {
  format: (code) => formatSource(code, defaultMode),
  isPython,
  pythonCellMagics: [],
};

/** Cells and what Black 26.10.1 makes of them; `undefined` where it leaves them alone. */
const cells: readonly (readonly [string, string | undefined])[] = [
  ["%matplotlib inline\nx = { 'a':1 }", '%matplotlib inline\nx = {"a": 1}'],
  ["!ls -la\nx=1", "!ls -la\nx = 1"],
  ["a = !ls  -la\nb=2", "a = !ls  -la\nb = 2"],
  ["env = %env HOME\nprint( env )", "env = %env HOME\nprint(env)"],
  ["foo?\nx=1", "?foo\nx = 1"],
  ["foo??", "??foo"],
  ["?foo\nx=1", "?foo\nx = 1"],
  ["%%time\nx  =  1", "%%time\nx = 1"],
  ["%%timeit -n 10\nfor i in range(3):\n  pass", "%%timeit -n 10\nfor i in range(3):\n    pass"],
  ["%%bash\nls", undefined],
  ["x=1;", "x = 1;"],
  ["# fmt: off\nx=1;  ", undefined],
  ["plt.plot( x );  # draw", "plt.plot(x);  # draw"],
  ["x='a'; ;", 'x = "a";'],
  ["# comment\n\n%%time\nx=1", "# comment\n\n%%time\nx = 1"],
  ["%time x  =  1", undefined],
  ["a\n%b\n!ls\nc=!d", "a\n%b\n!ls\nc = !d"],
  ["!\n%x\nc=1", "!\n%x\nc = 1"],
  ["é?", "?é"],
  ["!ls\nif x: get_ipython().magic( 'y' )", undefined],
  ["!ls\n[get_ipython().magic( 'x' )]", '!ls\n[get_ipython().magic("x")]'],
  ["!ls\ny: get_ipython().magic( 'x' )", '!ls\ny: get_ipython().magic("x")'],
  ["!ls\nget_ipython().magic( 'x' ).a", '!ls\nget_ipython().magic("x").a'],
  ["get_ipython().system('ls')\nx=1", undefined],
  [",f a b", 'f("a", "b")'],
  [";f a b", 'f("a b")'],
  ["/f a b", "f(a, b)"],
  ["%load_ext  autoreload\n%autoreload 2\nimport   os", "%load_ext  autoreload\n%autoreload 2\nimport os"],
  ["if True:\n    %time y=1\n    z  = 2", "if True:\n    %time y=1\n    z = 2"],
  ["!!ls\nx=1", "!!ls\nx = 1"],
  ["  x = 1", "x = 1"],
  [">>> x  = 1\n>>> y=2", "x = 1\ny = 2"],
  ["In [1]: x  =  1\n   ...: y=2", "x = 1\ny = 2"],
  ["foo(**{'a':1})?", undefined],
  ["%pinfo  foo\nx=1", "? foo\nx = 1"],
  ["!ls \\\n  -la\nx=1", undefined],
  ["", undefined],
  ["   ", ""],
  ["x=1\n\n\n", "x = 1"],
  ["\n\n%matplotlib inline\nx=1", "%matplotlib inline\nx = 1"],
  ["%%capture out\n%matplotlib inline\nx  =1", "%%capture out\n%matplotlib inline\nx = 1"],
  ["%%custom\nx  =1", undefined],
  ["a %b\nc=1", "a % b\nc = 1"],
  ["'''\n%time\n'''\nx =1", '"""\n%time\n"""\n\nx = 1'],
  ["x = {\n    'b': !ls\n}", undefined],
  [
    "this_is_a_very_long_name_for_a_variable_that_is_assigned = %some_magic_function_with_a_long_name and arguments here",
    undefined,
  ],
  ["é = !ls\nx =1", "é = !ls\nx = 1"],
  ["obj.attr?\nx =1", "?obj.attr\nx = 1"],
  ["str.*find*?\nx=1", "%psearch str.*find*\nx = 1"],
  ["print('hello'); print('x');", 'print("hello")\nprint("x");'],
  ["x = 1;;", "x = 1;"],
  ["%%python3\nx =  1", "%%python3\nx = 1"],
  ["!", undefined],
  ["%", undefined],
  ["%%time", undefined],
  ["%%time\n", "%%time"],
  ["?", undefined],
  ["%ls foo \nx=1", "%ls foo\nx = 1"],
  ["a = %time  f( x )\n", "a = %time  f( x )"],
];

describe("formatCell", () => {
  it.each(cells)("formats %j as Black does", (cell, expected) => {
    expect(formatCell(cell, formatter)).toBe(expected);
  });

  it("formats cells of further Python magics", () => {
    expect(formatCell("%%custom\nx  =1", { ...formatter, pythonCellMagics: ["custom"] })).toBe(
      "%%custom\nx = 1",
    );
  });

  it("leaves an annotated assignment from a magic alone, which Black turns into a call", () => {
    expect(formatCell("x: int = !ls", formatter)).toBeUndefined();
  });

  /** What JavaScript or Python takes for white space, without the ends of lines. */
  const otherSpaces = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
    (char) =>
      !" \t".includes(char) &&
      (/\s/.test(char) || isPythonSpace(char.charCodeAt(0))) &&
      splitlines(`a${char}b`).length === 1,
  );

  it.each(otherSpaces)("comes to an end of a line that begins with %j", (space) => {
    for (const cell of [`${space}x  = 1`, `${space}!ls`, `x  = 1\n${space}y`, `if x:\n  ${space}# c`])
      expect(formatCell(cell, { ...formatter, isPython: isValidPython })).toBeUndefined();
  });

  it.each([
    ["\u2028x  = 1", "x = 1"],
    ["\u2028!ls\nx  = 1", "!ls\nx = 1"],
    ["y =\u2028!ls\nx  = 1", undefined],
    ["y\u0085= !ls\nx  = 1", undefined],
    ["# c\u2028d\n!ls\nx  = 1", "# c\u2028d\n!ls\nx = 1"],
    ["x  = '\u2028'\n!ls", undefined],
    ["\u00a0a?", "?a"],
    ["1a.b[0].c?", "?a.b[0].c"],
    ["12.%%%a.b[-1]??", "??%%a.b[-1]"],
    ["a[0]b?", "?b"],
    ["a.1?", undefined],
    ["a???", undefined],
    ["a=%\u00a0a", "a = %\u00a0a"],
    ["    if\fa:\n        !", "if a:\n    !"],
    ["    \u2028\n        )\n    ''", undefined],
    ["x  = 1\ry  = 2\n!ls", undefined],
    ["\u0085\nx  = 1", "x = 1"],
    ["y = 1\f\n!ls", "y = 1\n!ls"],
    ["\ufeff\nx  = 1", undefined],
    ["\ufeff>>> x  = 1", undefined],
    ["\ufeff%%time\nx  = 1", undefined],
    ["\u3000%%bash\nx  = 1", undefined],
    ["!ls\u3000-l\u00a0\nx  = 1", "!ls\u3000-l\nx = 1"],
    ["x = %a  b\ufeff\nx  = 1", "x = %a  b\ufeff\nx = 1"],
    [",f a\u3000b\nx  = 1", 'f("a", "b")\nx = 1'],
  ])("takes for white space what Python does in %j", (cell, expected) => {
    expect(formatCell(cell, { ...formatter, isPython: isValidPython })).toBe(expected);
  });

  it.each([
    ["?a", 63],
    ["!ls", 400],
    ["!pwd", 16],
    ["%time", 256],
  ])("finds a mask for each of as many %s as there are masks", (magic, count) => {
    const magics = `${magic}\n`.repeat(count);
    expect(formatCell(`${magics}x  = 1`, formatter)).toBe(`${magics}x = 1`);
    if (count < 400) expect(formatCell(`${magics}${magic}\nx  = 1`, formatter)).toBeUndefined();
  });

  it("rewrites lines with hundreds of semicolons before them, or leaves them alone", () => {
    expect(formatCell(";".repeat(50_000), formatter)).toBeUndefined();
    const quoted = `${";".repeat(300)}f ${"a;".repeat(15_000)}`;
    expect(formatCell(quoted, formatter)).toMatch(/^f\(\n {4}"a;a;[\s\S]*a"\n\)\(""\)[\s\S]*;$/);
  });

  it("leaves a cell with a control character alone, which Python's tokenizer refuses", () => {
    for (const cell of ["\x1f\nf'{a\n}';; # fmt: skip", "x  = 1;\r\r", "\x1f\f;#", "\\;\n    "])
      expect(formatCell(cell, { ...formatter, isPython: isValidPython })).toBeUndefined();
  });

  it("gives up over a cell that ends inside brackets or a string, as Black does", () => {
    expect(() => formatCell("print(  1", formatter)).toThrow("EOF in multi-line statement");
    expect(() => formatCell("x = '''a", formatter)).toThrow("EOF in multi-line string");
    const tabs = "if x:\n        a\n\tb";
    expect(() => formatCell(tabs, formatter)).toThrow(
      "line 3 of a cell: inconsistent use of tabs and spaces",
    );
    const unindented = "if x:\n\t!ls\n\n# c\n \\\n  y";
    expect(() => formatCell(unindented, formatter)).toThrow("line 6 of a cell: unindent does not match");
  });
});
