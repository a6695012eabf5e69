import { expect, it } from "vitest";
import { csvCell } from "./csv-cell.ts";

it("begins no cell with what a spreadsheet calculates", () => {
  const beginnings = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"];
  for (const beginning of beginnings) expect(csvCell(`${beginning}1+1`)).toMatch(/^"?'/);
  expect(["a=1", " b", "[]", ""].map(csvCell)).toEqual(["a=1", " b", "[]", ""]);
});

it("keeps numbers, and quotes what would end a cell", () => {
  expect([-1.5, null, 'a"b', "a,b", "a\nb"].map(csvCell)).toEqual(["-1.5", "", '"a""b"', '"a,b"', '"a\nb"']);
});
