import { describe, expect, it } from "vitest";
import { formatted } from "../../../test/formatted.ts";

describe("# fmt: off", () => {
  it.each([
    [
      "x = call[\n        # fmt: off\n   f'a']+ 1",
      "x = (\n    call[\n        # fmt: off\n   f'a'\n    ]\n    + 1\n)",
    ],
    ["x = [\n    # fmt: off\n  F'{a }']", "x = [\n    # fmt: off\n  F'{a }'\n]"],
  ])("before an f-string that is alone in its brackets keeps just the string: %j", (source, expected) => {
    expect(formatted(source)).toBe(expected);
  });
});

describe("an empty block between # fmt: off and # fmt: on", () => {
  const block = "    # fmt: off\n    # fmt: on\n";

  it.each([
    ["f'{ a }' 'b', f'{ c }'", '    f\'{a}\' "b",\n    f"{ c }",\n'],
    ["t'{ a!r :>{ w  }} text  {a+b}'", "    t'{a!r:>{w}} text  {a + b}'\n"],
    ["f'{a=}{ f\"{b }\" }'", "    f'{a =}{f\"{b }\"}'\n"],
  ])("before %j has the fields of the string formatted", (items, expected) => {
    expect(formatted(`x = [\n${block}    ${items}\n]`)).toBe(`x = [\n${block}${expected}]`);
  });
});

describe("a trailing comma behind a comment and an empty block between # fmt: off and # fmt: on", () => {
  const block = "# c\n# fmt: off\n# fmt: on\n";
  const rows = [
    ["x = {}", "x = (\n# c\n# fmt: off\n# fmt: on\n {}"],
    ["for a in {}: pass", "for a in (\n# c\n# fmt: off\n# fmt: on\n {}:\n    pass"],
  ] as const;

  // Black has looked at the inner pair to know whether the outer one is needed.
  it.each(rows)("goes with -C within two pairs of parentheses of %j", (statement, expected) => {
    const source = statement.replace("{}", `((${block}(), b,))`);
    expect(formatted(source, { magicTrailingComma: false })).toBe(expected.replace("{}", "(), b)"));
  });

  it.each(rows)("stays within one pair of %j", (statement, expected) => {
    const source = statement.replace("{}", `(${block}(), b,)`);
    expect(formatted(source, { magicTrailingComma: false })).toBe(expected.replace("{}", "(), b,)"));
  });
});

describe("# fmt: skip behind an f-string of several lines", () => {
  it("keeps what stands on the last line, be it a part of the string", () => {
    const source = "x  =  f'''{call(a ,\n b ) }''' +  1  # fmt: skip";
    expect(formatted(source)).toBe(source);
  });
});

describe("# fmt: skip on a line of its own", () => {
  it("before the only statement of a block leaves the statements behind the block as they are", () => {
    const source = "if x:\n\n    # fmt: skip\n    # fmt: off\n    foo\nvalue = 1";
    expect(formatted(source)).toBe("if x:\n    # fmt: skip\n    # fmt: off\n    foo\nvalue = 1");
  });
});
