import { describe, expect, it } from "vitest";
import { formatTheLongWay, verbatimLines, WIDTH } from "../../../test/verbatim.ts";
import { format } from "../../format/format-string.ts";
import { parse } from "../../parse/parse.ts";
import { VerbatimReader } from "./verbatim-reader.ts";

const verbatim = [
  "x = f(a, b=-1, *args, **kwargs)[1:-2]",
  "x: int = {1: (2, 3), **rest}",
  'from . import a, b as c  # "why"',
  "from ..a.b import *",
  "return not (a and b) or c in (1, 2)",
  'print(*[a, *b], ..., sep="" if a else b)',
  "@decorator(a.b)",
  "a, b[c] = b, a @ -c + 1.5 * (d - 2)",
  'raise Error("\\n", f"{a!r:>{b}}" "c")',
  "assert a is not b, x[...]",
  '"""A string."""',
  '"it\'s"',
  "x = (a,)",
  "x = f((a,), [(a, b)], {(a, b): c}, d[(a, b)])",
  "x = (a + b) * c, (a, b)",
  "return (a or b) and (c for c in d)",
  "assert (), [(a - b) / c]",
  "x = a[:, 1:b, c]",
  `x = '"a"', '<a href="b">'`,
  String.raw`x = "\x1b \u20ac it's\n", r"\X \" it's"`,
  "x = 0xFF, 0o17, 1_000, 1.5e-3, 2j",
  "x = lambda: 1",
  "f(lambda a, b=1, *c: a, d=lambda **e: (a, b))",
  "x = {a: lambda: b, c: d}",
  "await a.b(c)",
  "x = not await a(await b) + -await c",
  "yield",
  "yield a, b",
  "yield from a(b)",
  `x = f"{a.b(c, 1)[0]!r} {d['e'].f()}"`,
  `x = "…é", '"日本"', f"{a}é", r"é"`,
];

const notVerbatim = [
  "x = (a)",
  "x = a,",
  "x = f(a,)",
  "x = f( a)",
  "x=f(a)",
  "x = f(a, b = 1)",
  "x = [(a)]",
  "x = a ** b",
  "x = x[a + 1 : b]",
  "x = x[a + 1:b]",
  "x = x[a, b.c:d]",
  "x = x[:,a]",
  "x = (a), b",
  "x = [(a)]",
  "x = {(a)}",
  "x = (a) if b else c",
  "x = y[(a)]",
  "return (a)",
  "return (a.b)",
  "yield (a)",
  "yield  a",
  "await (a)",
  "await  a",
  "x = lambda: (a)",
  "x = lambda :a",
  "x = lambda a = 1: a",
  "x = lambda a, : a",
  "x = 0xff",
  "x = 0O17",
  "x = 1E5",
  "x = 1e+5",
  "x = 1.e5",
  "x = 1J",
  `x = '"' + 'a'`,
  String.raw`x = '\"'`,
  `x = f("${"日".repeat(20)}", a)`,
  `x = b'"'`,
  "x = '''a'''",
  "x = 0XFF",
  "x = 1.",
  "x = 1 .real",
  "x = 'a'",
  'x = U"a"',
  'x = "\\XAB \\xAB"',
  'x = """a"""; y',
  "x = a  ;",
  "x = a # b",
  "x = a  #b",
  "x = a  # type: ignore",
  `x = ${"a".repeat(WIDTH)}`,
  "del (a), b",
  "del a, (b)",
  "from b import (a)",
  "print(a) if b  else c",
  "x = - 1",
  "x = not(a)",
  "(a)",
  '" a"',
  '"""a """',
  "'a'",
  '"\ta"',
  '"a"; b',
  "...",
  "é = 1",
];

describe("VerbatimReader", () => {
  it.each(verbatim)("finds %s", (line) => {
    const source = `def g():\n    ${line}\n`.replace(/^.*\n {4}(?=@|from)/, "");
    const text = line.startsWith("@") ? `${source}def h():\n    pass\n` : source;
    expect(verbatimLines(text)).toContain(line);
    expect(format(text, { lineLength: WIDTH })).toBe(text);
    expect(formatTheLongWay(text)).toBe(text);
  });

  it.each(notVerbatim)("leaves %s to the rules", (line) => {
    expect(verbatimLines(`${line}\n`)).toEqual([]);
    expect(format(`${line}\n`, { lineLength: WIDTH })).toBe(formatTheLongWay(`${line}\n`));
  });

  it("finds headers, but not those with a body behind them", () => {
    const source =
      "class A(B):\n    def f(self, a: int = 1, *, b=2) -> None:\n        if a: pass\n        else:\n            try:\n                pass\n            except E as e:  # no\n                pass\n";
    expect(verbatimLines(source)).toEqual([
      "class A(B):",
      "def f(self, a: int = 1, *, b=2) -> None:",
      "else:",
      "try:",
      "pass",
      "except E as e:  # no",
      "pass",
    ]);
    expect(format(source, { lineLength: WIDTH })).toBe(formatTheLongWay(source));
  });

  it("finds functions and statements with async before them", () => {
    const source =
      "@a\nasync def f(a):\n    async with a as b:  # why\n        pass\n    async for c in d:\n        pass\n    else:\n        pass\n\n\n# c\nasync def g():\n    pass\n";
    const found = verbatimLines(source);
    for (const line of ["async def f(a):", "async with a as b:  # why", "async for c in d:"]) {
      expect(found).toContain(line);
    }
    expect(format(source, { lineLength: WIDTH })).toBe(source);
    expect(formatTheLongWay(source)).toBe(source);
    const crowded = source.replace(/\n{3}/, "\n").replace("for c", "for  c");
    expect(format(crowded, { lineLength: WIDTH })).toBe(formatTheLongWay(crowded));
  });

  it("finds a string over several lines where nothing can be split", () => {
    const source = `x = """a\n  ${"b".repeat(WIDTH + 9)}\n"""\n`;
    expect(verbatimLines(source)).toEqual(['x = """a']);
    expect(format(source, { lineLength: WIDTH })).toBe(source);
    expect(formatTheLongWay(source)).toBe(source);
  });

  it.each([
    'x = f("""a\nb""")\n',
    'x[0] = """a\nb"""\n',
    `x${"x".repeat(WIDTH - 12)} = yyyyyy = """a\nb"""\n`,
    'x = """a\nb""" % c\n',
    'x = a if b else """a\nb"""\n',
    `x${"x".repeat(WIDTH - 14)} = not y and """a\nb"""\n`,
    'x = """a\nb"""  # c\n',
    "for x in (a):\n    pass\n",
    "for (a, b) in c:\n    pass\n",
    "with (a, b):\n    pass\n",
    "try:\n    pass\nexcept (A):\n    pass\n",
  ])("leaves to the rules: %j", (source) => {
    expect(verbatimLines(source).filter((line) => !["pass", "try:"].includes(line))).toEqual([]);
    expect(format(source, { lineLength: WIDTH })).toBe(formatTheLongWay(source));
  });

  it.each([
    "class A():\n    pass\n",
    "@[a].b\ndef f():\n    pass\n",
    "@a.b in c\ndef f():\n    pass\n",
    "@not a\ndef f():\n    pass\n",
    "@a if b else c\ndef f():\n    pass\n",
    "class A:\n    ...\n",
    "class A:  # a\n    ...  # b\n",
    "if a:\n  b = 1\n  c = 2\n",
    "if a:\n\tb = 1\n",
    "if a:\n    b = 1\n\n\n\n    c = 2\nelif (a):\n    pass\nelse:\n    pass\n",
    "import a\nx = 1\n# c\n\n@d\n# e\ndef f():\n    pass\nx = 1\n",
    "for x in (1, 2):\n    pass\nfor y in (z):\n    pass\nelse:\n    pass\n",
  ])("changes no output: %j", (source) => {
    expect(format(source, { lineLength: WIDTH })).toBe(formatTheLongWay(source));
  });
});

describe("what VerbatimReader finds", () => {
  /** Features of the source as bits, or why it is none. */
  function outcome(source: string, reader?: VerbatimReader): number | string {
    try {
      const { tree, features } = parse(source, [], reader);
      tree.release();
      return features;
    } catch (error) {
      return String(error);
    }
  }

  it.each([
    "x = (a=1)",
    "f(a=b=c)",
    "f(*a=b)",
    "f(, a)",
    "f(a if b)",
    "f(a else b)",
    "[a for b]",
    "[a, b for c in d]",
    "[*a or b]",
    "{a: b, c}",
    "{a, b: c}",
    "{**a, b}",
    "x[]",
    "x[a:b:c:d]",
    "a + not b",
    "a == not b",
    "a not b",
    "a ~ b",
    "a ~= b",
    "x = ",
    "x = b += c",
    "x += b = c",
    "x: int: str",
    "del not a",
    "del a if b else c",
    "raise a, b, c, d",
    "raise a from b from c",
    "assert",
    "assert a, b, c",
    "import a.b.",
    "import a from b",
    "from import a",
    "from a import b.c",
    "from a import b, c as",
    "return return",
    "a.if",
    "a..b",
    "if a, b:\n    pass",
    "if:\n    pass",
    "else:\n    pass",
    "for a if b in c:\n    pass",
    "for a:\n    pass",
    "with a as b as c:\n    pass",
    "try:\n    pass\nexcept a as b as c:\n    pass",
    "def f(a + b):\n    pass",
    "def f(a.b):\n    pass",
    "def f(**a, b):\n    pass",
    "def f(*a, *b):\n    pass",
    "def f(*a=1):\n    pass",
    "def f(a)(b):\n    pass",
    "def f(a) -> b, c:\n    pass",
    "def f:\n    pass",
    "class A.b:\n    pass",
    "class A(b)(c):\n    pass",
    "class A(b) -> c:\n    pass",
    'x = f"{a b}"',
    'x = f"{if}"',
    'x = f"{a(b}"',
    'x = f"{a[b)}"',
    'x = f"{a(b c)}"',
    'x = f"{a[]}"',
    'x = f"{a(, b)}"',
    "x = 1a",
    "x = a b",
    "x = )",
    "x = (]",
    "x = [lambda: a = 1]",
    "x = [lambda a: b for c in d: e]",
    "x = {lambda: a: b: c}",
    "x = lambda a b: c",
    "x = lambda **a, b: c",
    "x = lambda a.b: c",
    "x = a lambda: b",
    "x = a or lambda: b",
    "if lambda: a: b: c:\n    pass",
    "x = await",
    "x = a await b",
    "x = await not a",
    "yield from a, b",
    "yield a = b",
    "x = yield a from b",
    "yield a if from b",
    "async x = 1",
    "async class A:\n    pass",
    "async def f(:\n    pass",
    "x = (,)",
    "x = 'a\"",
    "x = 1e5a",
    "x = x[a b:c]",
    "x = x[a:b:c:d, e]",
  ])("is no invalid statement: %s", (statement) => {
    const source = `${statement}\n`;
    expect(outcome(source)).toBeTypeOf("string");
    expect(outcome(source, new VerbatimReader(WIDTH, true))).toBe(outcome(source));
  });

  it.each([
    "f(\n    *a,\n    b,\n)",
    "def f(\n    a,\n    *b,\n):\n    pass",
    "x: a = b, c",
    "try:\n    pass\nexcept a, b:\n    pass",
    'x = f"{a}"',
    'x = f"{a=}"',
    "@a.b(c)\ndef f():\n    pass",
    "@a.b(c).d\ndef f():\n    pass",
    "return *a, b",
    "from __future__ import annotations",
    "def f(a, /):\n    pass",
    "x[*a]",
    "[*a for a in b]",
    "with (a as b):\n    pass",
    "x = 1_0",
    "async def f(\n    *a,\n    b,\n):\n    await a",
    "return (*a, b)",
    "x = [(*a, b)]",
    "yield *a, b",
  ])("keeps the features that tell Python's versions: %s", (statement) => {
    const source = `${statement}\n`;
    expect(outcome(source)).toBeTypeOf("number");
    expect(outcome(source, new VerbatimReader(WIDTH, true))).toBe(outcome(source));
  });
});

it("an f-string that the source does not end is refused, not looked for without end", () => {
  expect(() => format('x = f"{a b\n')).toThrow("cannot parse: 1:9");
});
