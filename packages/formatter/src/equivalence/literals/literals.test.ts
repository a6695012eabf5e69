import { describe, expect, test } from "vitest";
import { decodeEscapes } from "./decode-escapes.ts";
import { normalizeDocstring } from "./normalize-docstring.ts";
import { splitLiteral } from "./split-literal.ts";

test.each([
  ["'a'", { isRaw: false, isBytes: false, interpolation: "", body: "a" }],
  ['Rb"""a"b"""', { isRaw: true, isBytes: true, interpolation: "", body: 'a"b' }],
  ["f''", { interpolation: "f", body: "" }],
  ['"" ""', { body: '" "' }],
])("splits %s", (text, parts) => {
  expect(splitLiteral(text)).toMatchObject(parts);
});

describe("decodeEscapes", () => {
  test.each([
    ["a\\n\\x41\\u00e9\\U0001F600", "a\nAé😀"],
    ["\\101\\0", "A\u0000"],
    ["\\\n", ""],
    ["\\q\\'", "\\q'"],
    ["\\N{dash}", "\\N{DASH}"],
  ])("%j is %j", (body, value) => {
    expect(decodeEscapes(body, false)).toBe(value);
  });

  test("bytes know no Unicode escapes", () => {
    expect(decodeEscapes("\\u0041\\x41", true)).toBe("\\u0041A");
  });

  test.each(["\\x4", "\\u12", "\\U00110000", "\\N{", "\\N"])("%j is refused", (body) => {
    expect(() => decodeEscapes(body, false)).toThrow("(unicode error)");
  });
});

test("a docstring's value is the same under any indentation", () => {
  expect(normalizeDocstring("\n    a  \n\n      b\n    ")).toBe(normalizeDocstring("a\n\nb"));
});
