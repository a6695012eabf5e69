import { describe, expect, it } from "vitest";
import { formatted } from "../../test/formatted.ts";

describe("power operators", () => {
  it("lose the spaces between simple operands", () => {
    expect(
      formatted(`x = a ** b
y = a.b ** -c
z = 5 ** 2.0
w = -(5 ** 2)`),
    ).toBe(`x = a**b
y = a.b**-c
z = 5**2.0
w = -(5**2)`);
  });

  it("keep them next to calls and subscripts", () => {
    expect(
      formatted(`x = a[1] ** 2
y = a() ** b
z = a ** b[1]
w = (1 + 2) ** 3`),
    ).toBe(`x = a[1] ** 2
y = a() ** b
z = a ** b[1]
w = (1 + 2) ** 3`);
  });

  it("let a line fit that would not with spaces", () => {
    expect(
      formatted(
        `x = aaaaaaaaaaaaaaaaaaaaaaaaaaaaa ** 2 + bbbbbbbbbbbbbbbbbbbbbbbbbbbbb ** 2 + ccccccccccccc ** 2`,
      ),
    ).toBe(`x = (
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaa**2
    + bbbbbbbbbbbbbbbbbbbbbbbbbbbbb**2
    + ccccccccccccc**2
)`);
  });
});
