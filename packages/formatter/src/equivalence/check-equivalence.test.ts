import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { checkEquivalence } from "./check-equivalence.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "jetblack-test-"));
  vi.stubEnv("TMPDIR", folder);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const check = (source: string, output: string): void => checkEquivalence(source, output, []);

describe("what layout may change", () => {
  test.each([
    ["x = (1)", "x = 1"],
    ["x = ((a, b))", "x = a, b"],
    ["f(a, b)", "f(\n    a,\n    b,\n)"],
    ["x = [1, 2]", "x = [\n    1,\n    2,\n]"],
    ["a; b", "a\nb"],
    ["if x: pass", "if x:\n    pass"],
    ["x = 'a' 'b'", 'x = "ab"'],
    ["x = 'it\\'s'", 'x = "it\'s"'],
    ["x = u'a'", 'x = "a"'],
    ["x = '\\xAB\\N{dash}'", "x = '\\xab\\N{DASH}'"],
    ["x = f'{a}' 'b'", 'x = f"{a}b"'],
    ["x = 0XABCDEF + 1E5 + .5 + 5.", "x = 0xABCDEF + 1e5 + 0.5 + 5.0"],
    ["def f():\n  '''a\n  b  \n  '''", 'def f():\n    """a\n    b"""'],
    ["del (a, b), c", "del a, b, c"],
    ["del (a), (b)", "del a, b"],
    ["class A(): pass", "class A:\n    pass"],
    ["with (a, b): pass", "with a, b:\n    pass"],
    ["with (a): pass", "with a:\n    pass"],
    ["with (open(x) as f, g): pass", "with open(x) as f, g:\n    pass"],
    ["with ((x := a, y)): pass", "with (x := a, y):\n    pass"],
    ["def f[T, U,](): pass", "def f[T, U]():\n    pass"],
    ["for (x) in (1, 2): pass", "for x in 1, 2:\n    pass"],
    ["f((x for x in y))", "f(x for x in y)"],
    ["(a.b).c", "a.b.c"],
    ["(a + b) + c", "a + b + c"],
    ["-x ** y", "-(x**y)"],
    ["print((yield))", "print((yield))"],
    ["def f() -> (int): pass", "def f() -> int:\n    pass"],
    ["from a import (b, c)", "from a import b, c"],
    ["x[(a, b)]", "x[a, b]"],
    ["return_ = lambda: (1)", "return_ = lambda: 1"],
    ["try: pass\nexcept (A, B): pass", "try:\n    pass\nexcept A, B:\n    pass"],
    ["case = 1\nmatch x:\n  case (1): pass", "case = 1\nmatch x:\n    case 1:\n        pass"],
    ["x = 1 # type:int", "x = 1  # type: int"],
    ["await (x)", "await x"],
    ["x = f'{a\\\n+ b=}' 'c'", 'x = f"{a+ b=}c"'],
    ["x = f'{f'{a}' 'b'!r:{ c }}'", "x = f\"{f'{a}b'!r:{c}}\""],
    ["x = f'{a:\\\n}'", 'x = f"{a:}"'],
    ["x = T'{ a  }{b = !r}{f(\"#\"):{ c }}'", "x = t'{ a}{b = !r}{f(\"#\"):{c}}'"],
    ["x = t'{a # c\n}'", "x = t'{a}'"],
  ])("%j may become %j", (source, output) => {
    expect(() => check(`${source}\n`, `${output}\n`)).not.toThrow();
  });
});

describe("what must stay", () => {
  test.each([
    ["x = 1", "x = 2"],
    ["x = (1,)", "x = 1"],
    ["f(a)", "f(a,)[0]"],
    ["x[a,]", "x[a]"],
    ["a - (b - c)", "a - b - c"],
    ["(a or b) or c", "a or b or c"],
    ["(-x) ** y", "-x ** y"],
    ["await (a ** b)", "await a ** b"],
    ["x = 'a'", "x = b'a'"],
    ["x = 'a '", "x = 'a'"],
    ["x = f'{a}'", "x = f'{b}'"],
    ["x = f'{a!r}'", "x = f'{a!s}'"],
    ["x = f'{a}'", "x = '{a}'"],
    ["x = f'{a=}'", "x = f'{a =}'"],
    ["x = f'{a\n\n=}'", "x = f'{a\n=}'"],
    ["x = f'{f'{a} '}'", "x = f'{f'{a}'}'"],
    ["x = f'{a:{b}}'", "x = f'{a:{c}}'"],
    ["x = f'{a:}'", "x = f'{a}'"],
    ["x = t'{a + b}'", "x = t'{a+b}'"],
    ["x = t'{ a}'", "x = t'{a}'"],
    ["x = t'{(a)}'", "x = t'{a}'"],
    ["x = t'{a\\\n+b!r}'", "x = t'{a+b!r}'"],
    ["x = f'{t'{a +b:c}'}'", "x = f'{t'{a+b:c}'}'"],
    ["x = r'\\n'", "x = '\\n'"],
    ["if x:\n  a\nb", "if x:\n  a\n  b"],
    ["def f(*, a): pass", "def f(*a): pass"],
    ["x: int", "(x): int"],
    ["with (a, b) as c: pass", "with a, b as c: pass"],
    ["x = 1 # type: int", "x = 1"],
    ["async def f(): pass", "def f(): pass"],
    ["for x in y: pass\nelse: pass", "for x in y: pass\npass"],
    ["[x for x in y]", "{x for x in y}"],
    ["a < b < c", "(a < b) < c"],
    ["x = [a, b]", "x = (a, b)"],
    ["del a, b", "del [a, b]"],
    ["from . import a", "from .. import a"],
  ])("%j must not become %j", (source, output) => {
    expect(() => check(`${source}\n`, `${output}\n`)).toThrow("not equivalent");
  });
});

describe("sources that the interpreter rejects", () => {
  test.each([
    ["x = (1 := 2)", "cannot use assignment expressions with literal (<unknown>, line 1)"],
    ["f() = 1", "cannot assign to function call"],
    ["a + b = 1", "cannot assign to expression"],
    ["a = None = 1", "cannot assign to None"],
    ["(a, 1) = x", "cannot assign to literal"],
    ["x = yield = 1", "cannot assign to yield expression"],
    ["for f() in x: pass", "cannot assign to function call"],
    ["[x for 1 in y]", "cannot assign to literal"],
    ["with a as f(): pass", "cannot assign to function call"],
    ["del f()", "cannot delete function call"],
    ["del *a", "cannot delete starred"],
    ["a, b += 1", "'tuple' is an illegal expression for augmented assignment"],
    ["a, b: int", "only single target (not tuple) can be annotated"],
    ["f(): int", "illegal target for annotation"],
    ["a <> b", "invalid syntax"],
    ["a = '\0'", "source code string cannot contain null bytes"],
    ["a =\u00a01", "invalid non-printable character U+00A0 (<unknown>, line 1)"],
    ["a = b–c", "invalid character '–' (U+2013) (<unknown>, line 1)"],
    ["a\n\v\nb", "invalid non-printable character U+000B"],
    ["def f(True=a): pass", "invalid syntax"],
    ["lambda a, None: a", "invalid syntax"],
    ["lambda None: a", "invalid syntax"],
    ["f(\\ )", "unexpected character after line continuation character"],
    ["f(a for a in b,)", "Generator expression must be parenthesized"],
    ["[0o17async for a in b]", "invalid octal literal"],
    ["[1_0async for a in b]", "invalid decimal literal"],
    ["if a:\n    b\n \\\n    c", "unindent does not match any outer indentation level"],
    ["x = `a`", "invalid syntax"],
    ["raise A, b", "invalid syntax"],
    ["x = 0777", "leading zeros in decimal integer literals"],
    ["x = 'a' b'b'", "cannot mix bytes and nonbytes literals"],
    ["x = b'é'", "bytes can only contain ASCII literal characters"],
    ["x = '\\x4'", "(unicode error)"],
    ["f(a=1, b)", "positional argument follows keyword argument"],
    ["f(**a, *b)", "iterable argument unpacking follows keyword argument unpacking"],
    ["f(**a, b)", "positional argument follows keyword argument unpacking"],
    ["f(x for x in y, 1)", "Generator expression must be parenthesized"],
    ["f(a.b=1)", "expression cannot contain assignment"],
    ["f(None=1)", "expression cannot contain assignment"],
    ["def f(a=1, b): pass", "parameter without a default follows parameter with a default"],
    ["def f(*): pass", "named arguments must follow bare *"],
    ["def f((a, b)): pass", "Function parameters cannot be parenthesized"],
    ["lambda (a): 1", "Function parameters cannot be parenthesized"],
    ["from a import b,", "trailing comma not allowed without surrounding parentheses"],
    ["x.None", "invalid syntax"],
    ["def None(): pass", "invalid syntax"],
    ["lazy from __future__ import annotations", "lazy from __future__ import is not allowed"],
    ["f'{a!x}'", "f-string: invalid conversion character 'x': expected 's', 'r', or 'a'"],
    ["f'{a:{b!x}}'", "f-string: invalid conversion character 'x'"],
    ["f'{a! r}'", "f-string: conversion type must come right after the exclamation mark"],
    ["f'{a:{b:{c:{d}}}}'", "f-string: expressions nested too deeply"],
    ["f'{a:'b'}'", "f-string: expecting '}', or format specs"],
    ["x = 1\nf'{f(a=1, b)}'", "positional argument follows keyword argument (<unknown>, line 2)"],
    ["f'{a:{0777}}'", "leading zeros in decimal integer literals"],
    ["f'{f\"{a! r}\"}'", "f-string: conversion type must come right after the exclamation mark"],
    ["f'a}'", "f-string: single '}' is not allowed"],
    ["f'{a}{b.None}'", "invalid syntax"],
    ['f"""{a:{ }}"""', "f-string: invalid syntax"],
    ['f"""{a:{b!}}"""', "f-string: invalid syntax"],
    ['f"""a{a:{b}"""', "f-string: expecting '}', or format specs"],
    ["f'{f'{b.None}'}'", "invalid syntax"],
    ["f'{f'}'}'", "f-string: single '}' is not allowed"],
    [
      "x = [\n  f\"{f'{a!x}'}\"\n]",
      "f-string: invalid conversion character 'x': expected 's', 'r', or 'a' (<unknown>, line 2)",
    ],
    ["f'{a \\ \n}'", "unexpected character after line continuation character"],
    ["f'{'a' b'b'}'", "cannot mix bytes and nonbytes literals"],
    ["f'{f'{a}' b'b'}'", "cannot mix bytes and nonbytes literals"],
    ["f'{a:{b:{c:{d}}}}'", "f-string: expressions nested too deeply"],
    ["f'{a:\\x}'", "(unicode error)"],
    ["type None = 1", "invalid syntax"],
    ["type X[T, *True] = 1", "invalid syntax"],
    ["def f[None](): pass", "invalid syntax"],
    ["class A[None: int]: pass", "invalid syntax"],
    ["def f(*True: *a): pass", "invalid syntax"],
    ["a = . ..", "invalid syntax"],
    ["f((a) := b)", "cannot use assignment expressions with name"],
    ["a[b.c := d]", "cannot use assignment expressions with attribute"],
    ["(a).b: int", "illegal target for annotation"],
    ["with (a as b, *c): pass", "invalid syntax"],
    ["match *a:\n  case b: pass", "invalid syntax"],
    ["from None import a", "invalid syntax"],
    ["import a, None", "invalid syntax"],
    ["with (a as b), c: pass", "invalid syntax"],
    ["with ((a as b)): pass", "invalid syntax"],
    ["try: pass\nexcept*: pass", "expected one or more exception types (<unknown>, line 2)"],
    ["[a for b in c, d]", "invalid syntax"],
    ["[a for b in lambda: 0]", "invalid syntax"],
    ["[a for b in c if lambda: 0]", "invalid syntax"],
    ["if x:\n\tif y:\n \ta", "inconsistent use of tabs and spaces in indentation (<unknown>, line 3)"],
    ["pass  # c \\\n  \\\nif x: pass", "unexpected indent (<unknown>, line 3)"],
    ["x = (*a)", "cannot use starred expression here"],
    ["print(a as b)", "invalid syntax"],
    ["\\", "unexpected EOF while parsing (<unknown>, line"],
    [
      "if x:\n        y = 1\n    z = 2",
      "unindent does not match any outer indentation level (<unknown>, line 3)",
    ],
    ["  x = 1", "unexpected indent (<unknown>, line 1)"],
    ["\n\n \tx = 1", "unexpected indent (<unknown>, line 3)"],
    // the token behind what is wrong, where CPython's parser has looked at it
    ["x = [\n  f'a'\n  b'c',\n  1]", "cannot mix bytes and nonbytes literals (<unknown>, line 3)"],
    ["f(k=1,\n x,\n y\n)", "positional argument follows keyword argument (<unknown>, line 4)"],
    ["f(k=1,\n x, y=2,\n z, w)", "positional argument follows keyword argument (<unknown>, line 3)"],
    ["f((\nname)=0)", 'expression cannot contain assignment, perhaps you meant "=="? (<unknown>, line 2)'],
    ["f(**a,\n *b)", "iterable argument unpacking follows keyword argument unpacking (<unknown>, line 1)"],
    [
      "try: pass\nexcept *A: pass\nexcept: pass",
      "cannot have both 'except' and 'except*' on the same 'try' (<unknown>, line 3)",
    ],
    // of several faults: the tokenizer's, unless the indentation is wrong before it, else the first
    ["f() = 1\nx = 0777", "leading zeros"],
    [
      "if x:\n    y\n      \\\n\n   z = 0777",
      "unindent does not match any outer indentation level (<unknown>, line 5)",
    ],
    ["f() = 1\n# \\\n  \\\nx", "cannot assign to function call"],
    [
      "try: pass\nexcept A: pass\nexcept* B: pass",
      "cannot have both 'except' and 'except*' on the same 'try'",
    ],
    [`x = ${"(".repeat(201)}1${")".repeat(201)}`, "too many nested parentheses"],
  ])("%j: %s", (source, message) => {
    expect(() => check(`${source}\n`, "x\n")).toThrow(
      `cannot use --safe with this file; failed to parse source file AST: ${message}`,
    );
  });

  test.each([
    "+()",
    "a[0]",
    "a + 1",
    "1 + a",
    "1j + 1",
    "1 + 2j + 3",
    "-a",
    "f(x).y",
    "f()()",
    "_.a(b)",
    "_()",
    "*a",
    "(*a)",
    "a.b as c.d",
    "a as _",
    "*a.b, c",
    "{a: 1}",
    "{'a'}",
    "{**a, 'b': 1}",
    "{**_}",
    "{f(): a}",
    "f(**a)",
    "f(*a)",
    "f(a=1, 2)",
    "f((a)=1)",
    "(a for a in b)",
    "[a for a in b]",
    "(yield)",
    "a if (b as c)",
    "C(k=1, a as b)",
    "C(a as b.c)",
    "C(a as _)",
  ])("case %s: no pattern", (pattern) => {
    expect(() => check(`match x:\n  case ${pattern}: pass\n`, "x\n")).toThrow(
      "invalid syntax (<unknown>, line 2)",
    );
  });

  test.each(["b.c", "(b)", "b()"])("except a as %s: no name", (target) => {
    expect(() => check(`try: pass\nexcept a as ${target}: pass\n`, "x\n")).toThrow("invalid syntax");
  });

  test.each([
    "return 1",
    "def f(a, a): pass",
    "f(a=1, a=2)",
    "x = *a, b",
    "print >>f, 'x'",
    "f(*a, b, *c, k=1, *d, **e, l=2)",
    "def f(a, /, b=1, *c, d, e=2, **f): pass",
    "def f(a, b=1, *, c, d=2): pass",
    "lambda a, *b, c=1, **d: 0",
    "[a, [b, *c]], d.e, f[0] = x",
    "with (a as b, c as (d, e)): pass",
    "f'{a!r:!>{b!s}}{{}}!{c != d}{e[\"!x\"]}' rf'{{{f!a}}}' f'\\N{DIGIT ONE}!{g:%H!%M}}}'",
    // f-strings in f-strings, with any quotes, comments and continuations (Python 3.12)
    "x = f\"{f'a: {'b' if c else 'd:e'}'}\"",
    "x = f\"L1:{f'L2:{f'L3:{value}'}'}\"",
    "x = f\"{f'{f'a: {d}'}'}\"",
    "x = f'{f'a {'''b'''}'}'",
    "x = f'{f'{\"'\"}'}'",
    "x = f'{1= # c\n}'",
    "x = f'{a=\\\n}'",
    "x = f'{a!r # c\n}'",
    "x = f'{a \\\n + \\\n b}' rf'\\{a:{b:{c}}}' f'\\{a}'",
    'x = f"""{a:{b["}"]!r}"}""" f"{r\'\\x\'}"',
    "x = t'{t'{a}' t'b'}'",
    "with (a as b): pass",
    "type type[match, *case, **_] = None",
    "class A[T: None = None, *U = *None]: pass",
    "(a()).b: int",
    "f(a := b, c[d := e])",
    "f'{a !r }{yield}{*b,}{c.d(1_0)[e:f]:{g:{h}}}{i!= j = }' f\"{k:'}\"",
    "match *a, :\n  case b: pass",
    "with a as b, (c), d as e: pass",
    "[a for b in (c, d) if (lambda: 0) for e in f or g]",
    "match x:\n  case A(b=1, c=2) | {'k': v, **r} if v: pass\n  case [1, 2 as y, *_] as z: pass",
    "match x:\n  case -1+2j | -1.5 | 'a' f'b' | None | True: pass",
    "match x:\n  case (a), *_, (), (b,), [], [*c], {}, {**d}, {-1: e, 'a': f, g.h: i, **j}: pass",
    "match x:\n  case a.b(_, c.d, (e|f as g), h=[*i], match=type,) | case() as type: pass",
    "try: pass\nexcept (a, b) as c: pass\nexcept d.e as f: pass",
    "if x:\n\ty = 1\n\tif z:\n\t\tw = 2\n",
    "    \fdef f(): pass",
    "x = f(\n1)\nif a and \\\n   b: c",
    "if x:\n    a\n  # odd comment\n    b",
    "class A(B, metaclass=C, *d, **e): pass",
    "import a.b as c, d\nfrom .x import (y as z,)",
    "async def f():\n  async for x in y: await z\n  async with a as b: pass",
    "(x) : int = 1",
    "match x:\n  case Point(a as b) | C(z, str() as s,) | D(k=a as b): pass",
    "if x:\n    a  = 1\n         \\\n    # c \\\n    b = 1",
    `x = ${"(".repeat(200)}1${")".repeat(200)}`,
  ])("%j is accepted", (source) => {
    expect(() => check(`${source}\n`, `${source}\n`)).not.toThrow();
  });
});

describe("an output that Python would refuse", () => {
  test.each([
    ["x = *a", "x = (\n    *a\n)", "cannot use starred expression here (<unknown>, line 2)"],
    ["def f(): pass\nx = 1", "def f():\n    pass\n x = 1", "unindent does not match"],
    ["def f():\n    pass\ndef g(): pass", "def f():\n    pass\n\n def g(): pass", "unindent does not match"],
    ["from a import (b, c)", "from a import b, c,", "trailing comma not allowed"],
    ["if x: pass\nelse: y", "if x:\n    pass\nelse:\n    y\n    \\", "unexpected EOF while parsing"],
  ])("%j as %j", (source, output, message) => {
    const expected = `INTERNAL ERROR: the output is not valid Python: ${message}`;
    expect(() => check(`${source}\n`, `${output}\n`)).toThrow(expected);
  });
});

describe("blocks that the interpreter sees otherwise than the tree", () => {
  const source = "if x:\n    pass  # c \\\n\\\ny = 1\n";

  test("are another meaning", () => {
    expect(() => check(source, "if x:\n    pass  # c \\\n    y = 1\n")).toThrow("not equivalent");
  });

  test("may stay as they are", () => {
    expect(() => check(source, source)).not.toThrow();
  });
});

describe("type comments, as Python's ast has them", () => {
  test.each([
    ["from foo import (  # type: ignore\n    bar\n)  # noqa", "from foo import bar  # type: ignore  # noqa"],
    ["x = f(  # type: ignore[call-arg]\n    1\n)  # c", "x = f(1)  # type: ignore[call-arg]  # c"],
    ["def f(  # type: ignore\n    a):  # noqa\n  pass", "def f(a):  # type: ignore  # noqa\n    pass"],
    ["x = (\n  1 # type: int\n)", "x = (1  # type: int\n)"],
    ["if x: # type: int\n  pass", "if x:\n    pass"],
    ["x = 1 # type: int  ", "x = 1  # type: int"],
    [
      "def f(a, # type: int\n b=1 # type: str\n):\n  # type: (...) -> int\n  x = 1",
      "def f(\n    a,  # type: int\n    b=1,  # type: str\n):\n    # type: (...) -> int\n    x = 1",
    ],
    ["def f(a): # type: (int) -> int\n  pass", "def f(a):\n    # type: (int) -> int\n    pass"],
    ["x = f'{a # type: int\n}' # type: int", "x = f'{a # type: int\n}'"],
  ])("%j may become %j", (source, output) => {
    expect(() => check(`${source}\n`, `${output}\n`)).not.toThrow();
  });

  test.each([
    ["x = [1  # c\n, # type: ignore\n 2]", "x = [1, 2]  # c # type: ignore"],
    ["def f( # c\n): # type: () -> int\n  pass", "def f():  # c # type: () -> int\n    pass"],
    ["x = (1 # type: int\n)", "x = 1  # type: int"],
    ["x = 1 # type: int", "x = 1  # type: str"],
    ["x = 1 # type: int", "x = 1"],
    ["x = 1 # type: int\ny = 2", "x = 1\ny = 2  # type: int"],
    ["x = f(a, # type: ignore\n b) # type: ignore", "x = f(a, b)  # type: ignore"],
    ["for a in b: # type: int\n  pass", "for a in b:\n    # type: int\n    pass"],
    ["with 1: # type: int\n  with 2: pass", "with 1:\n    with 2:  # type: int\n        pass"],
    ["def f(a, # type: int\n b): pass", "def f(a, b):  # type: int\n    pass"],
    ["def f(a # type: int\n , b): pass", "def f(\n    a,  # type: int\n    b\n): pass"],
    ["x = 1  # type: ignored", "x = 1  # type: ignore"],
  ])("%j may not become %j", (source, output) => {
    expect(() => check(`${source}\n`, `${output}\n`)).toThrow("not equivalent");
  });
});
