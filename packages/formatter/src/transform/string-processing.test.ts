import { describe, expect, it } from "vitest";
import { formatted } from "../../test/formatted.ts";
import { previewBits } from "../mode/preview.ts";

describe("string processing", () => {
  it("breaks a long string at spaces", () => {
    expect(
      formatted(
        `x = 'This is a rather long string that does not fit on one line of eighty-eight columns at all.'`,
        { preview: previewBits(true, true, []) },
      ),
    ).toBe(`x = (
    "This is a rather long string that does not fit on one line of eighty-eight columns"
    " at all."
)`);
  });

  it("merges adjacent strings that fit", () => {
    expect(formatted(`x = ('one ' 'two ' 'three')`, { preview: previewBits(true, true, []) })).toBe(
      `x = "one two three"`,
    );
  });

  it("keeps the source's splits when they fit", () => {
    expect(
      formatted(
        `call(
    'This is the first part of the string, '
    'this is the second part, '
    'this is the third part of the string.'
)`,
        { preview: previewBits(true, true, []) },
      ),
    ).toBe(`call(
    "This is the first part of the string, "
    "this is the second part, "
    "this is the third part of the string."
)`);
  });

  it("does not merge raw strings, or with comments between", () => {
    expect(
      formatted(
        `x = (r'a' 'b')
y = (
    'a'  # one
    'b'
)`,
        { preview: previewBits(true, true, []) },
      ),
    ).toBe(`x = r"a" "b"
y = (
    "a"  # one
    "b"
)`);
  });

  it("gives an f prefix to those parts only that need it", () => {
    expect(
      formatted(
        `x = f'This is a rather long string with a field {value} at its start and then a lot of text without one.'`,
        { preview: previewBits(true, true, []) },
      ),
    ).toBe(`x = (
    f"This is a rather long string with a field {value} at its start and then a lot of"
    " text without one."
)`);
  });

  it("escapes braces when a plain string joins an f-string", () => {
    expect(formatted(`x = f'{a}' '{b}'`, { preview: previewBits(true, true, []) })).toBe(`x = f"{a}{{b}}"`);
  });

  it("never breaks within a field", () => {
    expect(
      formatted(
        `call(f'some text of the string {function(first_argument, second_argument)} and {another + expression} end')`,
        { preview: previewBits(true, true, []) },
      ),
    ).toBe(`call(
    f"some text of the string {function(first_argument, second_argument)} and"
    f" {another + expression} end"
)`);
  });

  it("strips parentheses that a string does not need", () => {
    expect(
      formatted(
        `x = call(('some string'))
y = ('some string')`,
        { preview: previewBits(true, true, []) },
      ),
    ).toBe(`x = call("some string")
y = "some string"`);
  });

  it("keeps a format operator's parentheses", () => {
    expect(formatted(`x = 2 * ('%s' % y)`, { preview: previewBits(true, true, []) })).toBe(
      `x = 2 * ("%s" % y)`,
    );
  });

  it("wraps a returned string", () => {
    expect(
      formatted(
        `def f():
    return 'This is a rather long string that does not fit on one line of eighty-eight columns.'`,
        { preview: previewBits(true, true, []) },
      ),
    ).toBe(`def f():
    return (
        "This is a rather long string that does not fit on one line of eighty-eight"
        " columns."
    )`);
  });

  it("wraps a dictionary value", () => {
    expect(
      formatted(
        `x = {
    'key': 'This is a rather long string that does not fit on one line of eighty-eight columns.',
}`,
        { preview: previewBits(true, true, []) },
      ),
    ).toBe(`x = {
    "key": (
        "This is a rather long string that does not fit on one line of eighty-eight"
        " columns."
    ),
}`);
  });

  it("leaves an assertion's message whole when it fits behind the condition", () => {
    expect(
      formatted(
        `assert x, 'This is a rather long string that does not fit on one line of eighty-eight columns.'`,
        { preview: previewBits(true, true, []) },
      ),
    ).toBe(`assert (
    x
), "This is a rather long string that does not fit on one line of eighty-eight columns."`);
  });

  it("wraps an element of a list before it breaks it", () => {
    expect(
      formatted(
        `x = [
    'This is a rather long string that does not fit on one line of eighty-eight columns, no.',
    'b',
]`,
        { preview: previewBits(true, true, []) },
      ),
    ).toBe(`x = [
    (
        "This is a rather long string that does not fit on one line of eighty-eight"
        " columns, no."
    ),
    "b",
]`);
  });

  it("moves a string behind an operator", () => {
    expect(
      formatted(
        `x = some_value_of_the_expression + 'This is a rather long string that does not fit on one line, no.'`,
        { preview: previewBits(true, true, []) },
      ),
    ).toBe(`x = (
    some_value_of_the_expression
    + "This is a rather long string that does not fit on one line, no."
)`);
  });

  it("keeps a trailer behind the last part", () => {
    expect(
      formatted(
        `x = 'This is a rather long string that does not fit on one line, no, it does not: {} {}.'.format(first, second)`,
        { preview: previewBits(true, true, []) },
      ),
    ).toBe(`x = (
    "This is a rather long string that does not fit on one line, no, it does not:"
    " {} {}.".format(first, second)
)`);
  });

  it("leaves a string with a pragma behind it alone", () => {
    expect(
      formatted(
        `x = 'This is a rather long string that does not fit on one line of eighty-eight columns at all.'  # noqa`,
        { preview: previewBits(true, true, []) },
      ),
    ).toBe(
      `x = "This is a rather long string that does not fit on one line of eighty-eight columns at all."  # noqa`,
    );
  });

  it("takes line continuations out of strings", () => {
    expect(
      formatted(
        `x = 'one \\
two'`,
        { preview: previewBits(true, true, []) },
      ),
    ).toBe(`x = "one two"`);
  });

  it("breaks after East Asian stops", () => {
    expect(
      formatted(
        `x = 'あああああああああああああああああああああああああ。いいいいいいいいいいいいいいいいいいいいいいいいい'`,
        { preview: previewBits(true, true, []) },
      ),
    ).toBe(`x = (
    "あああああああああああああああああああああああああ。"
    "いいいいいいいいいいいいいいいいいいいいいいいいい"
)`);
  });

  it("does not break within a named escape", () => {
    expect(
      formatted(
        `x = 'This is a rather long string that does not fit on one line of eighty columns: \\N{LATIN SMALL LETTER A} x'`,
        { preview: previewBits(true, true, []) },
      ),
    ).toBe(`x = (
    "This is a rather long string that does not fit on one line of eighty columns:"
    " \\N{LATIN SMALL LETTER A} x"
)`);
  });

  // Black leaves the first attempt in its tree, where it parts the star from its operand; the answer is its own.
  it("puts a space behind a star where the splits of the source are tried after those by width", () => {
    expect(
      formatted(`call(*' text' ' again')`, { lineLength: 8, preview: previewBits(true, true, []) }),
    ).toBe(`call(
    * " text"
    " again"
)`);
  });
});
