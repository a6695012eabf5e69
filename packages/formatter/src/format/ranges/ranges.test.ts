import { describe, expect, it } from "vitest";
import { format } from "../../index.ts";
import { adjustRanges } from "./adjust-ranges.ts";
import { LineSelection, sanitizeRanges } from "./line-range.ts";

describe("line ranges", () => {
  it("are cut to the source's lines", () => {
    expect(
      sanitizeRanges(
        [
          [1, 9],
          [4, 5],
          [2, 2],
        ],
        "a\nb\nc",
      ),
    ).toEqual([
      [1, 3],
      [2, 2],
    ]);
    expect(sanitizeRanges([[1, 1]], "")).toEqual([]);
  });

  it("select lines", () => {
    const selection = new LineSelection([
      [2, 3],
      [7, 7],
    ]);
    expect([1, 2, 3, 4, 7].map((line) => selection.has(line))).toEqual([false, true, true, false, true]);
    expect(selection.intersects(4, 6)).toBe(false);
    expect(selection.intersects(4, 7)).toBe(true);
  });

  it("follow the lines that a pass has moved", () => {
    const original = "import re\ndef f(a,\n  b): pass\nx = 1\n";
    const modified = "import re\n\n\ndef f(a, b):\n    pass\n\n\nx = 1\n";
    expect(adjustRanges([[2, 3]], original, modified)).toEqual([[2, 7]]);
    expect(adjustRanges([[4, 4]], original, modified)).toEqual([[8, 8]]);
  });

  it("stay where changes are within them", () => {
    expect(
      adjustRanges(
        [
          [3, 3],
          [1, 1],
        ],
        "a=1\nb\nc=1\n",
        "a = 1\nb\nc = 1\n",
      ),
    ).toEqual([
      [1, 1],
      [3, 3],
    ]);
  });
});

describe("code outside the ranges", () => {
  it("stays as it is, its comments too", () => {
    const source = "#one\nx  =  1  #two\ndef f( a ):\n    #three\n    y  =  1\n    z  =  2\n";
    expect(format(source, { lineRanges: [[6, 6]] })).toBe(
      "#one\nx  =  1  #two\ndef f( a ):\n    #three\n    y  =  1\n    z = 2\n",
    );
  });

  it("stays where a directive has taken all that a statement held", () => {
    const source = "x=1\nfor x in[]:a();#fmt:skip\n";
    expect(format(source, { lineRanges: [[1, 1]] })).toBe("x = 1\nfor x in[]:a();#fmt:skip\n");
  });

  it("keeps its blank lines at the end", () => {
    expect(format("a=1\nb=2\n\n\n", { lineRanges: [[1, 1]] })).toBe("a = 1\nb=2\n\n\n");
  });
});
