import { describe, expect, it } from "vitest";
import { formatted } from "../../test/formatted.ts";

describe("comments in lines", () => {
  it("get lines of their own in brackets", () => {
    expect(
      formatted(`x = [
    1,
    # two
    2
]`),
    ).toBe(`x = [
    1,
    # two
    2,
]`);
  });

  it("after operators go to the end of a line that can be joined", () => {
    expect(
      formatted(`x = (
    a +  # one
    b +  # two
    c
)`),
    ).toBe(`x = a + b + c  # one  # two`);
  });

  it("with type: ignore keep their line", () => {
    expect(
      formatted(
        `from some_package_with_a_long_name import some_object_with_a_very_long_name_as_well  # type: ignore`,
      ),
    ).toBe(
      `from some_package_with_a_long_name import some_object_with_a_very_long_name_as_well  # type: ignore`,
    );
  });

  it("with types keep their arguments apart", () => {
    expect(
      formatted(`def f(
    a,  # type: int
    b,  # type: str
):
    pass`),
    ).toBe(`def f(
    a,  # type: int
    b,  # type: str
):
    pass`);
  });

  it("with type: ignore in a chain stay apart", () => {
    expect(
      formatted(`x = (
    some_object  # type: ignore
    .method()  # type: ignore
    .another()
)`),
    ).toBe(`x = (
    some_object  # type: ignore
    .method()  # type: ignore
    .another()
)`);
  });

  it("before a lone operand keep the parentheses", () => {
    expect(
      formatted(`x = (
    # why
    1
)`),
    ).toBe(`x = (
    # why
    1
)`);
  });

  // Black loses sight of the bracket here; the answers are its own.
  it.each([
    [
      "x = [  # c\n    # fmt: off\n    # fmt: on\n    1,\n    2,\n]",
      "x = [\n# c\n# fmt: off\n    # fmt: on\n 1,\n 2,\n]",
    ],
    ["x = (  # c\n    # fmt: off\n    # fmt: on\n    1,)", "x = (\n# c\n# fmt: off\n    # fmt: on\n 1,)"],
    ["x(\n  # c\n  # fmt: off\n  # fmt: on\n  a, *b\n)", "x(\n# c\n# fmt: off\n  # fmt: on\na, *b\n)"],
    ["x[  # c\n  # fmt: off\n  # fmt: on\n  f'{a}'\n]", "x[\n# c\n# fmt: off\n  # fmt: on\n f'{a}'\n]"],
  ])("before an empty fmt block in brackets leave the line breaks behind it: %j", (source, expected) => {
    expect(formatted(source)).toBe(expected);
    expect(formatted(source, { magicTrailingComma: false })).toBe(expected.replace("2,\n]", "2\n]"));
  });

  // The comments part the line before its brackets are closed, and so what follows the last one keeps its space.
  it("within a slice of a comprehension's variable leave the space behind the colon", () => {
    const source = 'x = {a for b\n #one\n [:\n # two\n c+1] in d},\\\n (1), ("e" "f"), [g > \'\'] - a';
    expect(formatted(source)).toBe(`x = (
    {a for b
    # one
    [:
    # two
     c + 1] in d},
    (1),
    ("e" "f"),
    [g > ""] - a,
)`);
  });
});
