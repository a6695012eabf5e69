import { describe, expect, it } from "vitest";
import { pythonRepr, pythonStr } from "./python-repr.ts";

describe("pythonRepr", () => {
  it.each([
    [1, "1.0"],
    [-0, "-0.0"],
    [0.1, "0.1"],
    [1e-4, "0.0001"],
    [1e-5, "1e-05"],
    [1e15, "1000000000000000.0"],
    [1e16, "1e+16"],
    [-1.5e300, "-1.5e+300"],
    [Number.POSITIVE_INFINITY, "inf"],
    [Number.NaN, "nan"],
    [10n, "10"],
    [true, "True"],
    ["it's", `"it's"`],
    [`'"`, `'\\'"'`],
    ["\u{200b}\u{a0}\u{7f}\u{e0001}\u{3000}", String.raw`'\u200b\xa0\x7f\U000e0001\u3000'`],
    ["é 😀\t\r\n\\", String.raw`'é 😀\t\r\n\\'`],
    [["a", 1], "['a', 1.0]"],
    [{ a: [false] }, "{'a': [False]}"],
  ])("writes $0 as $1", (value, text) => {
    expect(pythonRepr(value)).toBe(text);
  });
});

describe("pythonStr", () => {
  it("leaves texts as they are", () => {
    expect(pythonStr("a'")).toBe("a'");
  });

  it.each([
    ["1979-05-27T07:32:00.000Z", "1979-05-27 07:32:00+00:00"],
    ["1979-05-27T07:32:00.500", "1979-05-27 07:32:00.500000"],
    ["1979-05-27", "1979-05-27"],
    ["07:32:00.000", "07:32:00"],
  ])("writes the date %s as %s", (written, text) => {
    const date = new Date(0);
    date.toISOString = () => written;
    expect(pythonStr(date)).toBe(text);
  });
});
