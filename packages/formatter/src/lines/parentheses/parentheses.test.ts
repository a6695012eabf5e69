import { describe, expect, it } from "vitest";
import { format } from "../../index.ts";

describe("redundant parentheses", () => {
  it.each([
    [
      "go after keywords",
      `if (a): pass
while (not a): pass
return_ = (1)
assert (a), (b)
del (a), (b)
del (a, b)
`,
      `if a:
    pass
while not a:
    pass
return_ = 1
assert a, b
del (a), (b)
del (a, b)
`,
    ],
    [
      "go round for targets and iterables",
      `for (x) in (y): pass
for (x, y) in (1, 2): pass
`,
      `for x in y:
    pass
for x, y in (1, 2):
    pass
`,
    ],
    [
      "go in return and annotations",
      `def f(a: (int)) -> (str):
    return (1)
`,
      `def f(a: int) -> str:
    return 1
`,
    ],
    [
      "nest and go all at once",
      `x = (((1)))
print((((1))))
`,
      `x = 1
print((((1))))
`,
    ],
    [
      "go round the only element of a list or set",
      `x = [(1)]
y = {(a)}
z = [(1, 2)]
`,
      `x = [1]
y = {a}
z = [(1, 2)]
`,
    ],
    [
      "go after await unless precedence needs them",
      `async def f():
    await (a.b(c))
    await (a ** b)
    await (await d)
    await (-x)
    await ("text")
    await (f"{x}")
`,
      `async def f():
    await a.b(c)
    await (a**b)
    await (await d)
    await (-x)
    await "text"
    await (f"{x}")
`,
    ],
    [
      "do not go round an f-string",
      `with f"{aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}", bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb:
    pass
`,
      `with f"{aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}", (
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
):
    pass
`,
    ],
    [
      "do not go round a manager with an assignment in an f-string",
      `with first(argument) | second(another_argument, f"{(name := 1)} and more text", third) as target:
    pass
`,
      `with first(argument) | second(
    another_argument, f"{(name := 1)} and more text", third
) as target:
    pass
`,
    ],
    [
      "go in with statements",
      `with (a): pass
with (a) as b: pass
with (open(a)) as b, (c): pass
`,
      `with a:
    pass
with a as b:
    pass
with open(a) as b, c:
    pass
`,
    ],
    [
      "of an import go",
      `from a import (b)
from a import (b, c)
from a import *
`,
      `from a import b
from a import b, c
from a import *
`,
    ],
    [
      "go round exceptions",
      `try: pass
except (A): pass
except (A, B): pass
`,
      `try:
    pass
except A:
    pass
except (A, B):
    pass
`,
    ],
  ])("%s", (_, source, expected) => {
    expect(format(source)).toBe(expected);
  });
});

describe("needed parentheses", () => {
  it.each([
    [
      "stay round a one-tuple and appear where there are none",
      `x = (1,)
for y in 1,: pass
return_ = 1,
`,
      `x = (1,)
for y in (1,):
    pass
return_ = (1,)
`,
    ],
    [
      "stay round generators, yields and walrus",
      `x = (i for i in y)
if (z := f()): pass
x = (yield)
x = (y := 0)
`,
      `x = (i for i in y)
if z := f():
    pass
x = yield
x = (y := 0)
`,
    ],
    [
      "stay where a type comment ignores the line",
      `x = (  # type: ignore
    1
)
`,
      `x = 1  # type: ignore
`,
    ],
    [
      "stay round an annotated name",
      `(x): int = 1
(x.y): int = 1
`,
      `(x): int = 1
x.y: int = 1
`,
    ],
    [
      "stay with comments before the content",
      `x = (  # why
    1
)
`,
      `x = 1  # why
`,
    ],
  ])("%s", (_, source, expected) => {
    expect(format(source)).toBe(expected);
  });
});

describe("parentheses in match statements", () => {
  it.each([
    [
      "go round guards and patterns",
      `match (x):
    case (1) if (y): pass
    case case: pass
`,
      `match (x):
    case 1 if y:
        pass
    case case:
        pass
`,
    ],
  ])("%s", (_, source, expected) => {
    expect(format(source)).toBe(expected);
  });
});

describe("context managers for versions that know the syntax", () => {
  it.each([
    [
      "share one pair of parentheses",
      `with aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa() as b, ccccccccccccccccccccccccccccccccccccccccc() as d: pass
with (a, b): pass
`,
      `with (
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa() as b,
    ccccccccccccccccccccccccccccccccccccccccc() as d,
):
    pass
with a, b:
    pass
`,
    ],
  ])("%s", (_, source, expected) => {
    expect(format(source, { targetVersions: ["py310"] })).toBe(expected);
  });
});

describe("exceptions from Python 3.14 on", () => {
  it.each([
    [
      "lose the parentheses of a tuple without as",
      `try: pass
except (A, B): pass
except (A, B) as e: pass
`,
      `try:
    pass
except A, B:
    pass
except (A, B) as e:
    pass
`,
    ],
  ])("%s", (_, source, expected) => {
    expect(format(source, { targetVersions: ["py314"] })).toBe(expected);
  });
});

describe("preview", () => {
  it.each([
    [
      "wraps long dictionary values",
      `x = {'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa': bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb + ccccccccccc}
`,
      `x = {
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": (
        bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb + ccccccccccc
    )
}
`,
    ],
    [
      "drops parentheses in unpacking targets",
      `for (x), y in z: pass
(a), b = c
del (a), (b)
[d for (e), f in g]
`,
      `for x, y in z:
    pass
a, b = c
del a, b
[d for e, f in g]
`,
    ],
    [
      "drops doubled parentheses of generators",
      `f((x for x in y))
g(((x for x in y)))
`,
      `f(x for x in y)
g(x for x in y)
`,
    ],
    [
      "keeps a short guard as it is",
      `match x:
    case y if z  >  1: pass
`,
      `match x:
    case y if z > 1:
        pass
`,
    ],
    [
      "wraps a one-tuple after yield",
      `def f():
    yield 1,
`,
      `def f():
    yield (1,)
`,
    ],
  ])("%s", (_, source, expected) => {
    expect(format(source, { preview: true })).toBe(expected);
  });
});
