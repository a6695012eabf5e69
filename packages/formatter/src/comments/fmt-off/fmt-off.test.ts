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

describe("# fmt: skip on a line of its own", () => {
  it("before the only statement of a block leaves the statements behind the block as they are", () => {
    const source = "if x:\n\n    # fmt: skip\n    # fmt: off\n    foo\nvalue = 1";
    expect(formatted(source)).toBe("if x:\n    # fmt: skip\n    # fmt: off\n    foo\nvalue = 1");
  });
});
