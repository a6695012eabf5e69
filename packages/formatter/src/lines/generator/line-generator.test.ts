import { describe, expect, it } from "vitest";
import { format } from "../../index.ts";

describe("statements become lines", () => {
  it.each([
    [
      "semicolons end lines",
      `a=1;b=2;
`,
      `a = 1
b = 2
`,
    ],
    [
      "a body on the header's line moves below",
      `if a:b
else :c
`,
      `if a:
    b
else:
    c
`,
    ],
    [
      "async statements stay with their keyword",
      `async def f():
  async with a as b: pass
  async for x in y: await z
`,
      `async def f():
    async with a as b:
        pass
    async for x in y:
        await z
`,
    ],
    [
      "decorators get lines of their own",
      `@a
@b . c(1)
def f():pass
`,
      `@a
@b.c(1)
def f():
    pass
`,
    ],
    [
      "empty class parentheses go",
      `class A():
    x=1
`,
      `class A:
    x = 1
`,
    ],
    [
      "a stub body stays on the line of its definition",
      `def f():...
class A: ...
for x in y: ...
`,
      `def f(): ...
class A: ...


for x in y:
    ...
`,
    ],
    [
      "trailing comments follow the code",
      `x=1 # one
#two
y=2
`,
      `x = 1  # one
# two
y = 2
`,
    ],
    [
      "comments of a level stay at its end",
      `if a:
    b
    # inner
# outer
c
`,
      `if a:
    b
    # inner
# outer
c
`,
    ],
  ])("%s", (_, source, expected) => {
    expect(format(source)).toBe(expected);
  });
});

describe("literals", () => {
  it.each([
    [
      "numbers are normalised",
      `x=0XFF+1E5+.5j+0O7
`,
      `x = 0xFF + 1e5 + 0.5j + 0o7
`,
    ],
    [
      "an attribute of a number gets parentheses",
      `x = 1 .real + 0x1.real + 1.5.imag
`,
      `x = (1).real + 0x1.real + (1.5).imag
`,
    ],
    [
      "a power after a unary operator gets parentheses",
      `x = -2**8 + -(2**8)
`,
      `x = -(2**8) + -(2**8)
`,
    ],
    [
      "f-strings with an escape in a field stay",
      String.raw`x = f'{a:\x41}' + F'b'
`,
      String.raw`x = f'{a:\x41}' + f"b"
`,
    ],
  ])("%s", (_, source, expected) => {
    expect(format(source)).toBe(expected);
  });
});

describe("docstrings", () => {
  it.each([
    [
      "are indented with their function",
      `def f():
  '''Summary.

  	Detail.
    More.  
  '''
`,
      `def f():
    """Summary.

    Detail.
    More.
    """
`,
    ],
    [
      "keep a space where a quote would touch the delimiter",
      `def f():
    '''"Quoted"'''
`,
      `def f():
    '''"Quoted"'''
`,
    ],
    [
      "keep a space after an odd number of backslashes",
      String.raw`def f():
    '''a \\ '''
`,
      String.raw`def f():
    """a \\"""
`,
    ],
    [
      "stay as they are when a line ends in a backslash",
      String.raw`def f():
  '''a \
   b'''
`,
      String.raw`def f():
    """a \
   b"""
`,
    ],
    [
      "of modules and classes are docstrings too",
      `'''  Module.  '''
class A:
    '''  Class.  '''
    x=1
`,
      `"""Module."""


class A:
    """Class."""

    x = 1
`,
    ],
    [
      "that are empty hold one space",
      `def f():
    '''   '''
`,
      `def f():
    """ """
`,
    ],
    [
      "put the closing quotes on a line of their own when the last line is full",
      `def f():
    '''First.

    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'''
`,
      `def f():
    """First.

    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
    """
`,
    ],
    [
      "of bytes are no docstrings",
      `def f():
    b'''  a  '''
`,
      `def f():
    b"""  a  """
`,
    ],
  ])("%s", (_, source, expected) => {
    expect(format(source)).toBe(expected);
  });
});

describe("the colons of slices", () => {
  it.each([
    ["hug names and literals", `a[b :f"{c}"]\n`, `a[b:f"{c}"]\n`],
    ["stand apart beside calls and operators", "a[b+c:d]\n", "a[b + c : d]\n"],
    ["stand apart before an f-string with one in it", `a[b:f"{c.d}"]\n`, `a[b : f"{c.d}"]\n`],
    ["hug an f-string at the start, whatever it holds", `a[f"{c.d}" : b]\n`, `a[f"{c.d}":b]\n`],
    [
      "are settled for each element by itself",
      `a[f"{c.d}":b, ("" f"{c.d}"):e]\n`,
      `a[f"{c.d}":b, ("" f"{c.d}") : e]\n`,
    ],
  ])("%s", (_, source, expected) => {
    expect(format(source)).toBe(expected);
  });
});

it("a backslash on a line of its own leaves a blank line, before an f-string as well", () => {
  expect(format(`a\n\\\nb\n\\\nf"c"\n`)).toBe(`a\n\nb\n\nf"c"\n`);
});
