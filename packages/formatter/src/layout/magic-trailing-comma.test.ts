import { describe, expect, it } from "vitest";
import { formatted } from "../../test/formatted.ts";

describe("magic trailing comma", () => {
  it("keeps one element per line", () => {
    expect(
      formatted(`f(a, b,)
x = [1, 2,]`),
    ).toBe(`f(
    a,
    b,
)
x = [
    1,
    2,
]`);
  });

  it("is not that of a one-tuple", () => {
    expect(formatted(`x = (1,)`)).toBe(`x = (1,)`);
  });

  it("is not that of a subscript with one element", () => {
    expect(
      formatted(`x: tuple[int,] = y
z = tuple[int, str,]`),
    ).toBe(`x: tuple[int,] = y
z = tuple[
    int,
    str,
]`);
  });

  it("is removed when it has no meaning", () => {
    expect(
      formatted(
        `f(a, b,)
x = (1,)
y = [1, 2,]`,
        { magicTrailingComma: false },
      ),
    ).toBe(`f(a, b)
x = (1,)
y = [1, 2]`);
  });

  it("breaks the brackets around it, too", () => {
    expect(formatted(`call(a)(b, [1, 2,])`)).toBe(`call(a)(
    b,
    [
        1,
        2,
    ],
)`);
  });
});
