import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasBackslashInField } from "./interpolation.ts";
import { normalizeStringPrefix } from "./prefix.ts";
import { normalizeStringQuotes } from "./quotes.ts";
import { normalizeUnicodeEscapes } from "./unicode-escapes.ts";

describe("string prefixes", () => {
  it.each([
    ["u'a'", "'a'"],
    ["F'a'", "f'a'"],
    ["BR'a'", "Rb'a'"],
    ["Rb'a'", "Rb'a'"],
    ["fr'a'", "rf'a'"],
    ["T'a'", "T'a'"],
  ])("%s becomes %s", (literal, expected) => {
    expect(normalizeStringPrefix(literal, false)).toBe(expected);
  });

  it("lowers T on request", () => {
    expect(normalizeStringPrefix("T'a'", true)).toBe("t'a'");
  });
});

describe("string quotes", () => {
  it.each([
    ["'a\\n'", '"a\\n"'],
    ["'''a\\n'''", '"""a\\n"""'],
    ["b'\\x00'", 'b"\\x00"'],
    ["f'{a:\\n}'", "f'{a:\\n}'"],
    ["'a'", '"a"'],
    ["'a\"b'", "'a\"b'"],
    ["'it\\'s'", '"it\'s"'],
    ["'\\''", '"\'"'],
    ['"\\""', "'\"'"],
    ['"a\\"b\'c"', '"a\\"b\'c"'],
    ["'\\\"'", "'\"'"],
    ["'''a'''", '"""a"""'],
    ["'''a\"'''", "'''a\"'''"],
    ["r'a\"'", "r'a\"'"],
    ["r'\\d'", 'r"\\d"'],
    ["''", '""'],
    ["f'{x[\"a\"]}'", "f'{x[\"a\"]}'"],
  ])("%s becomes %s", (literal, expected) => {
    expect(normalizeStringQuotes(literal)).toBe(expected);
  });
});

describe("unicode escapes", () => {
  it.each([
    ["'\\xAB\\u00E9\\U0001F600'", "'\\xab\\u00e9\\U0001f600'"],
    ["'\\N{en dash}'", "'\\N{EN DASH}'"],
    ["'\\\\xAB'", "'\\\\xAB'"],
    ["'\\\\\\xAB'", "'\\\\\\xab'"],
    ["r'\\xAB'", "r'\\xAB'"],
    ["'\\xAG \\u00E'", "'\\xAG \\u00E'"],
  ])("%s becomes %s", (literal, expected) => {
    expect(normalizeUnicodeEscapes(literal)).toBe(expected);
  });
});

describe("replacement fields", () => {
  it.each([
    ["f'\\n{x}'", false],
    ["f'{x:\\n}'", true],
    ["f'{\"\\n\".join(x)}'", true],
    ["f'{{\\n}}'", false],
    ["f'\\N{DASH}{x}'", false],
    ["rf'\\N{DA\\SH}'", true],
    ["f'{a[\"}\"]}\\n'", false],
    ["f'{a:{b}}\\n'", false],
    ["f'{{a}}{f\"{b}\\t\"}'", true],
  ])("of %s: %s", (literal, expected) => {
    expect(hasBackslashInField(literal)).toBe(expected);
  });
});

describe("normalised plain strings", () => {
  const pieces = fc.array(fc.constantFrom('\\"', "\\'", "\\\\", '"', "'", "a", "\\n", "\\xAB", " "), {
    maxLength: 12,
  });
  const literal = fc.tuple(pieces, fc.constantFrom("'", '"')).map(([parts, quote]) => {
    const body = parts.map((part) => (part === quote ? `\\${part}` : part)).join("");
    return quote + body + quote;
  });

  it("keep their value", () => {
    fc.assert(fc.property(literal, (text) => evaluate(normalize(text)) === evaluate(text)));
  });

  it("stay as they are the second time", () => {
    fc.assert(fc.property(literal, (text) => normalize(normalize(text)) === normalize(text)));
  });
});

function normalize(text: string): string {
  return normalizeStringQuotes(normalizeStringPrefix(normalizeUnicodeEscapes(text), false));
}

/** What the literal evaluates to, for the escapes that the property uses. */
function evaluate(literal: string): string {
  return literal.slice(1, -1).replace(/\\(x[0-9a-fA-F]{2}|.)/g, (_, letters: string) => {
    if (letters.startsWith("x")) return String.fromCharCode(Number.parseInt(letters.slice(1), 16));
    return letters === "n" ? "\n" : letters;
  });
}
