/** 1-based line numbers, both ends included. */
export type LineRange = readonly [number, number];

/** The ranges that touch the source, cut to its lines (`ranges.py` sanitized_lines). */
export function sanitizeRanges(ranges: readonly LineRange[], source: string): LineRange[] {
  if (source === "") return [];
  const lineCount = countLines(source);
  const valid: LineRange[] = [];
  for (const [first, last] of ranges) {
    const start = Math.max(first, 1);
    if (first <= lineCount && last >= start) valid.push([start, Math.min(last, lineCount)]);
  }
  return valid;
}

function countLines(source: string): number {
  let count = source.endsWith("\n") ? 0 : 1;
  for (let at = source.indexOf("\n"); at !== -1; at = source.indexOf("\n", at + 1)) count++;
  return count;
}

/** A set of lines that answers quickly for single lines and for ranges. */
export class LineSelection {
  readonly #ranges: readonly LineRange[];

  constructor(ranges: readonly LineRange[]) {
    this.#ranges = ranges;
  }

  has(line: number): boolean {
    return this.intersects(line, line);
  }

  /** Whether any line from `first` to `last` is selected. */
  intersects(first: number, last: number): boolean {
    return this.#ranges.some(([start, end]) => Math.max(start, first) <= Math.min(end, last));
  }
}
