import { describe, expect, it } from "vitest";
import { format } from "../../index.ts";

describe("blank lines in modules", () => {
  it.each([
    [
      "two stand round top-level definitions, one within classes",
      `import a
def f(): pass
def g(): pass
x=1
class A:
    x=1
    def f(self): pass
    def g(self): pass
    y=2
`,
      `import a


def f():
    pass


def g():
    pass


x = 1


class A:
    x = 1

    def f(self):
        pass

    def g(self):
        pass

    y = 2
`,
    ],
    [
      "at most two are kept, one in blocks",
      `a




b
if c:
    d



    e
`,
      `a


b
if c:
    d

    e
`,
    ],
    [
      "one follows a module docstring",
      `'''Doc.'''
import a
`,
      `"""Doc."""

import a
`,
    ],
    [
      "two follow one before a class",
      `'''Doc.'''
class A: pass
`,
      `"""Doc."""


class A:
    pass
`,
    ],
    [
      "one follows imports",
      `import a
x=1
def f():
    import b
    y=2
`,
      `import a

x = 1


def f():
    import b

    y = 2
`,
    ],
    [
      "those before a comment move before it",
      `x=1
# about f
def f(): pass
# about g
@d
# still
def g(): pass
`,
      `x = 1


# about f
def f():
    pass


# about g
@d
# still
def g():
    pass
`,
    ],
    [
      "overloads may stand together",
      `@overload
def f(): ...
@overload
def f(): ...
def f(): pass
`,
      `@overload
def f(): ...
@overload
def f(): ...
def f():
    pass
`,
    ],
    [
      "none is added after else of a nested function",
      `if a:
    def f(): pass
else:
    def f(): pass
`,
      `if a:

    def f():
        pass

else:

    def f():
        pass
`,
    ],
    [
      "none stands at the start of a block unless the source has it",
      `def f():

    x=1
def g():
    x=1
if a:

    b
`,
      `def f():

    x = 1


def g():
    x = 1


if a:

    b
`,
    ],
    [
      "a form feed stays between top-level lines",
      `import a

x=1


def f(): pass
`,
      `import a

x = 1


def f():
    pass
`,
    ],
    [
      "the first line has none before it",
      `x=1
`,
      `x = 1
`,
    ],
  ])("%s", (_, source, expected) => {
    expect(format(source)).toBe(expected);
  });
});

describe("blank lines in stubs", () => {
  it.each([
    [
      "functions stand together, classes apart",
      `def f(): ...
def g(): ...
class A:
    x: int
    def f(self): ...
class B: ...
class C: ...
y: int
`,
      `def f(): ...
def g(): ...

class A:
    x: int
    def f(self): ...

class B: ...
class C: ...

y: int
`,
    ],
    [
      "decorated stub classes end with one",
      `@d
class A: ...
x: int
`,
      `@d
class A: ...

x: int
`,
    ],
    [
      "one stands between variables and functions",
      `x: int
def f(): ...
y: int
`,
      `x: int

def f(): ...

y: int
`,
    ],
    [
      "a comment between a class docstring and a method needs no more of them",
      `class A:
    class B:
        """Docstring."""
    # comment
    def f(self): ...
`,
      `class A:
    class B:
        """Docstring."""

    # comment
    def f(self): ...
`,
    ],
  ])("%s", (_, source, expected) => {
    expect(format(source, { isPyi: true })).toBe(expected);
  });
});

describe("blank lines in stubs, preview", () => {
  it.each([
    [
      "groups of overloads are set apart",
      `class A:
    @overload
    def f(self): ...
    @overload
    def f(self, a): ...
    def g(self): ...
    @property
    def h(self): ...
    @h.setter
    def h(self, v): ...
`,
      `class A:
    @overload
    def f(self): ...
    @overload
    def f(self, a): ...

    def g(self): ...

    @property
    def h(self): ...
    @h.setter
    def h(self, v): ...
`,
    ],
    [
      "conditional overloads stay with their group",
      `@overload
def f(): ...
if a:
    @overload
    def f(x): ...
else:
    @overload
    def f(y): ...
x: int
`,
      `@overload
def f(): ...

if a:
    @overload
    def f(x): ...
else:
    @overload
    def f(y): ...

x: int
`,
    ],
    [
      "decorated classes get one before",
      `x: int
@d
class A: ...
@d
class B: ...
`,
      `x: int

@d
class A: ...

@d
class B: ...
`,
    ],
    [
      "one follows a function with a docstring",
      `def f():
    '''Doc.'''
def g(): ...
`,
      `def f():
    """Doc."""

def g(): ...
`,
    ],
  ])("%s", (_, source, expected) => {
    expect(format(source, { isPyi: true, preview: true })).toBe(expected);
  });
});
