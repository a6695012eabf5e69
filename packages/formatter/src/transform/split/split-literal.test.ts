import { describe, expect, it } from "vitest";
import { breakIndex } from "./break-index.ts";
import { withoutPointlessF } from "./f-prefix.ts";
import { type SplitOptions, splitLiteral } from "./split-literal.ts";

function options(width: number, changes: Partial<SplitOptions> = {}): SplitOptions {
  return {
    prefix: "",
    dropsPrefix: false,
    maxBreakWidth: width - 1,
    maxLastWidth: width,
    operatorColumns: 0,
    customSplits: [],
    ...changes,
  };
}

describe("breaking a string literal", () => {
  it("breaks before the last space that fits", () => {
    expect(splitLiteral('"one two three four five"', options(14)).parts).toEqual([
      '"one two"',
      '" three four"',
      '" five"',
    ]);
  });

  it("breaks further right when nothing fits", () => {
    expect(breakIndex('"abcdefghijkl mnopqrst"', 5)).toBe(13);
  });

  it("gives up without a space", () => {
    expect(splitLiteral('"abcdefghijklmnop"', options(8)).parts).toEqual(['"abcdefghijklmnop"']);
  });

  it("never breaks within a replacement field, a named escape or behind a backslash", () => {
    expect(breakIndex('f"abcde {x + y} fghijkl"', 12)).toBe(7);
    expect(breakIndex('"abcdefgh\\N{LATIN SMALL LETTER A}ijklmnop"', 20)).toBeUndefined();
    expect(breakIndex('"abcdefgh\\ ijklmnop"', 12)).toBeUndefined();
  });

  it("breaks behind an East Asian stop", () => {
    expect(breakIndex('"あいうえおか。きくけこさし"', 9)).toBe(8);
  });

  it("counts code points outside the basic plane as one", () => {
    expect(breakIndex('"😀😀😀😀😀😀 abcdefg"', 10)).toBe(7);
  });

  it("uses the splits of the source while they fit", () => {
    const customSplits = [
      { hasPrefix: false, breakIndex: 5 },
      { hasPrefix: false, breakIndex: 5 },
    ];
    expect(splitLiteral('"abcdefgh"', options(9, { customSplits })).parts).toEqual(['"abcd"', '"efgh"']);
  });

  it("tells which parts were made before the splits of the source were used", () => {
    const customSplits = [
      { hasPrefix: false, breakIndex: 12 },
      { hasPrefix: false, breakIndex: 9 },
    ];
    expect(splitLiteral('"abcd efghij klmnop"', options(8, { customSplits }))).toEqual({
      parts: ['"abcd efghij"', '" klmnop"'],
      abandoned: ['"abcd efghij"'],
    });
  });

  it("keeps an empty part of the source's splits without the prefix of the others", () => {
    const customSplits = [
      { hasPrefix: false, breakIndex: 1 },
      { hasPrefix: true, breakIndex: 5 },
    ];
    const changes = { customSplits, prefix: "f", dropsPrefix: true };
    expect(splitLiteral('f"{a}"', options(9, changes)).parts).toEqual(['""', 'f"{a}"']);
  });

  it("drops the prefix of parts without a field", () => {
    expect(withoutPointlessF('f"a {{b}}"', "f")).toBe('"a {b}"');
    expect(withoutPointlessF('f"{a}"', "f")).toBe('f"{a}"');
  });
});
