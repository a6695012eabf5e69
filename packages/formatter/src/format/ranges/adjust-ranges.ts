/** Line ranges after a first formatting pass (`ranges.py` adjusted_lines). */
import { type MatchingBlock, matchingBlocks } from "../../util/difflib/sequence-matcher.ts";
import { splitlinesKeepingEnds, strip } from "../../util/python-text.ts";
import type { LineRange } from "./line-range.ts";

/** Lines of the original that correspond to lines of the output; both 1-based with ends included. */
interface LinesMapping {
  readonly originalStart: number;
  readonly originalEnd: number;
  readonly modifiedStart: number;
  readonly modifiedEnd: number;
  /** Whether the lines differ. */
  readonly isChanged: boolean;
}

/** The ranges in the output that correspond to `ranges` in the original; a changed block counts as a whole. */
export function adjustRanges(ranges: readonly LineRange[], original: string, modified: string): LineRange[] {
  const originalLines = splitlinesKeepingEnds(original);
  const modifiedLines = splitlinesKeepingEnds(modified);
  const sorted = [...ranges].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  if (ranges.length > 1 && changesStayWithin(sorted, originalLines, modifiedLines)) return sorted;
  const mappings = mapLines(originalLines, modifiedLines);
  const adjusted: LineRange[] = [];
  let current = 0;
  for (const [start, end] of sorted) {
    const startIndex = findMapping(start, mappings, current);
    const endIndex = findMapping(end, mappings, startIndex);
    current = startIndex;
    const first = mappings[startIndex];
    const last = mappings[endIndex];
    if (first === undefined || last === undefined) continue;
    const newStart = first.isChanged
      ? first.modifiedStart
      : start - first.originalStart + first.modifiedStart;
    const newEnd = last.isChanged ? last.modifiedEnd : end - last.originalStart + last.modifiedStart;
    if (newStart <= newEnd) adjusted.push([newStart, newEnd]);
  }
  return adjusted;
}

/** Whether both texts have as many lines and differ within the ranges only: then no line has moved. */
function changesStayWithin(
  ranges: readonly LineRange[],
  original: readonly string[],
  modified: readonly string[],
): boolean {
  if (original.length !== modified.length) return false;
  if (!ranges.every(([start, end]) => 1 <= start && start <= end && end <= original.length)) return false;
  const selected = new Uint8Array(original.length);
  for (const [start, end] of ranges) selected.fill(1, start - 1, end);
  return original.every((line, index) => selected[index] === 1 || line === modified[index]);
}

/** Index of the mapping that holds the line, from `start` on; past the end when there is none. */
function findMapping(line: number, mappings: readonly LinesMapping[], start: number): number {
  let index = start;
  while (index < mappings.length) {
    const mapping = mappings[index]!;
    if (mapping.originalStart <= line && line <= mapping.originalEnd) return index;
    index++;
  }
  return index;
}

/** `_calculate_lines_mappings`: equal lines at both ends are set apart, the rest is compared without indentation. */
function mapLines(original: readonly string[], modified: readonly string[]): LinesMapping[] {
  const shorter = Math.min(original.length, modified.length);
  let prefix = 0;
  while (prefix < shorter && original[prefix] === modified[prefix]) prefix++;
  let suffix = 0;
  while (suffix < shorter - prefix && original.at(-suffix - 1) === modified.at(-suffix - 1)) suffix++;
  const originalEnd = original.length - suffix;
  const modifiedEnd = modified.length - suffix;
  const blocks: MatchingBlock[] = [];
  if (prefix > 0) blocks.push({ a: 0, b: 0, size: prefix });
  const middle = matchingBlocks(
    original.slice(prefix, originalEnd).map(strip),
    modified.slice(prefix, modifiedEnd).map(strip),
  );
  for (const { a, b, size } of middle) if (size > 0) blocks.push({ a: a + prefix, b: b + prefix, size });
  if (suffix > 0) blocks.push({ a: originalEnd, b: modifiedEnd, size: suffix });
  blocks.push({ a: original.length, b: modified.length, size: 0 });
  return mappingsBetween(blocks);
}

/** One mapping for each block and one for what differs before it; the last block is the empty one at the end. */
function mappingsBetween(blocks: readonly MatchingBlock[]): LinesMapping[] {
  const mappings: LinesMapping[] = [];
  let originalStart = 1;
  let modifiedStart = 1;
  blocks.forEach(({ a, b, size }, index) => {
    if (index > 0 || a !== 0 || b !== 0) {
      mappings.push({ originalStart, originalEnd: a, modifiedStart, modifiedEnd: b, isChanged: true });
    }
    originalStart = a + size + 1;
    modifiedStart = b + size + 1;
    if (index === blocks.length - 1) return;
    mappings.push({
      originalStart: a + 1,
      originalEnd: a + size,
      modifiedStart: b + 1,
      modifiedEnd: b + size,
      isChanged: false,
    });
  });
  return mappings;
}
