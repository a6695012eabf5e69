import { describe, expect, it } from "vitest";
import { containsFexpr, fexprSpans, toggleFexprQuotes } from "./fexpr-spans.ts";

describe("replacement fields", () => {
  it("are found with their braces, nested format fields included", () => {
    expect(fexprSpans('f"a {b} {c:{d}}"')).toEqual([
      [4, 7],
      [8, 15],
    ]);
  });

  it("are not doubled braces, nor braces in strings within a field", () => {
    expect(containsFexpr('f"{{a}}"')).toBe(false);
    expect(fexprSpans(`f"{a['}']}"`)).toEqual([[2, 10]]);
  });

  it("are passed over when they do not end", () => {
    expect(fexprSpans('f"{a"')).toEqual([]);
  });

  it("get the other quotes, the text around them does not", () => {
    expect(toggleFexprQuotes(`f'{a["b"]} "c"'`, '"')).toBe(`f'{a['b']} "c"'`);
  });
});
