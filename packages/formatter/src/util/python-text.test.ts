import { describe, expect, it } from "vitest";
import {
  codePointLength,
  expandtabs,
  firstWord,
  lstrip,
  rstrip,
  splitlines,
  strip,
  words,
} from "./python-text.ts";

describe("Python's string operations", () => {
  it("strip the C0 separators and NEL, but no byte order mark", () => {
    expect(strip("\x1c\x85 a b\u2003\u3000")).toBe("a b");
    expect(strip("\ufeffa")).toBe("\ufeffa");
    expect(lstrip("\t\fa ")).toBe("a ");
    expect(rstrip(" a\v\r\n")).toBe(" a");
  });

  it("split at white space", () => {
    expect(words(" a\x1cb\u3000 c\ufeff\n")).toEqual(["a", "b", "c\ufeff"]);
    expect(words(" ")).toEqual([]);
    expect(firstWord("a\x85b")).toBe("a");
  });

  it("end lines where Python does", () => {
    expect(splitlines("a\r\nb\rc\n")).toEqual(["a", "b", "c"]);
    expect(splitlines("a\fb\x1cc\u2028d\x85")).toEqual(["a", "b", "c", "d"]);
    expect(splitlines("")).toEqual([]);
  });

  it("expand tabs to columns", () => {
    expect(expandtabs("\ta", 4)).toBe("    a");
    expect(expandtabs("  \t\tb", 4)).toBe("        b");
  });

  it("count code points", () => {
    expect(codePointLength("aé漢")).toBe(3);
    expect(codePointLength("a😀b")).toBe(3);
    expect(codePointLength("\ud83d")).toBe(1);
  });
});
