import { describe, expect, it } from "vitest";
import { formatted } from "../../test/formatted.ts";

describe("multi-line strings", () => {
  it("stay where they are as the only argument", () => {
    expect(
      formatted(`call("""a
b""")`),
    ).toBe(`call("""a
b""")`);
  });

  it("are moved when there are more arguments", () => {
    expect(
      formatted(`call("""a
b""", 1, some_other_argument_that_is_long, another_argument_that_is_long_enough_x)`),
    ).toBe(`call(
    """a
b""",
    1,
    some_other_argument_that_is_long,
    another_argument_that_is_long_enough_x,
)`);
  });

  it("stay in a method call", () => {
    expect(
      formatted(`x = """a
b""".format(1)`),
    ).toBe(`x = """a
b""".format(1)`);
  });

  it("may be followed by a trailing comma", () => {
    expect(
      formatted(`call(
    """a
b""",
)`),
    ).toBe(`call(
    """a
b""",
)`);
  });

  it("stay behind an assignment in brackets", () => {
    expect(
      formatted(`x = textwrap.dedent("""\\
  a
""")`),
    ).toBe(`x = textwrap.dedent("""\\
  a
""")`);
  });

  it("two of them are put on lines of their own", () => {
    expect(
      formatted(`call("""a
b""", """c
d""")`),
    ).toBe(`call(
    """a
b""",
    """c
d""",
)`);
  });
});
