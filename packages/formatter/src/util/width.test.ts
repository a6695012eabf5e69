import { describe, expect, it } from "vitest";
import { codePointLength, countCharsInWidth, stringWidth } from "./width.ts";

describe("width", () => {
  it("counts one column for each ASCII character", () => {
    expect(stringWidth("x = 'abc'")).toBe(9);
  });

  it("counts two columns for East Asian wide characters, inside and outside the basic plane", () => {
    expect(stringWidth("日本")).toBe(4);
    expect(stringWidth("a😀b")).toBe(4);
    expect(stringWidth("é")).toBe(1);
  });

  it("counts combining and control characters as one column, as Black does", () => {
    expect(stringWidth("e\u0301")).toBe(2);
    expect(stringWidth("日\t")).toBe(3);
  });

  it("counts code points, not UTF-16 units", () => {
    expect(codePointLength("a😀b")).toBe(3);
    expect(codePointLength("\ud83d")).toBe(1);
    expect(codePointLength("日本")).toBe(2);
  });

  it("tells how many characters fit in a width", () => {
    expect(countCharsInWidth("日本語", 5)).toBe(2);
    expect(countCharsInWidth("abc", 5)).toBe(3);
  });
});
