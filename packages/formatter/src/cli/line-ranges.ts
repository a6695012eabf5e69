import { pythonRepr } from "../util/python-repr.ts";

/** A 1-based range of lines, both ends included. */
export type LineRange = readonly [start: number, end: number];

/** Reads `START-END` values; a text is the reason why one is no range (Black: `parse_line_ranges`). */
export function parseLineRanges(values: readonly string[]): LineRange[] | string {
  const ranges: LineRange[] = [];
  for (const value of values) {
    const parts = value.split("-");
    const shown = pythonRepr(value);
    if (parts.length !== 2) return `Incorrect --line-ranges format, expect 'START-END', found ${shown}`;
    const [start = Number.NaN, end = Number.NaN] = parts.map((part) =>
      /^\s*\d+\s*$/.test(part) ? Number(part) : Number.NaN,
    );
    if (Number.isNaN(start) || Number.isNaN(end))
      return `Incorrect --line-ranges value, expect integer ranges, found ${shown}`;
    if (start < 1 || end < 1)
      return `Incorrect --line-ranges value, expect positive integers, found ${shown}`;
    if (start > end) return `Incorrect --line-ranges value, expect START <= END, found ${shown}`;
    ranges.push([start, end]);
  }
  return ranges;
}
