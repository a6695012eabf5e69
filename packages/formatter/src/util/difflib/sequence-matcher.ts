/** `a.slice(a, a + size)` equals `b.slice(b, b + size)`. */
export interface MatchingBlock {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

/** What turns `a[aStart:aEnd]` into `b[bStart:bEnd]`. */
export interface Opcode {
  readonly tag: "equal" | "replace" | "delete" | "insert";
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
}

/**
 * Matching blocks of two sequences in the order and with the choices of Python's `difflib.SequenceMatcher`,
 * its "popular elements" heuristic included (an element of a `b` of 200 or more that makes up over 1 % of it
 * starts no match). The last block is the empty one at both ends.
 */
export function matchingBlocks<T>(a: readonly T[], b: readonly T[]): MatchingBlock[] {
  const positions = indexPositions(b);
  const found: MatchingBlock[] = [];
  const pending: [number, number, number, number][] = [[0, a.length, 0, b.length]];
  for (let range = pending.pop(); range !== undefined; range = pending.pop()) {
    const [aLow, aHigh, bLow, bHigh] = range;
    const match = longestMatch(a, b, positions, aLow, aHigh, bLow, bHigh);
    if (match.size === 0) continue;
    found.push(match);
    if (aLow < match.a && bLow < match.b) pending.push([aLow, match.a, bLow, match.b]);
    if (match.a + match.size < aHigh && match.b + match.size < bHigh)
      pending.push([match.a + match.size, aHigh, match.b + match.size, bHigh]);
  }
  found.sort((left, right) => left.a - right.a || left.b - right.b);
  return joinAdjacent(found, a.length, b.length);
}

/** The edits between two sequences (Python: `SequenceMatcher.get_opcodes`). */
export function opcodes<T>(a: readonly T[], b: readonly T[]): Opcode[] {
  const result: Opcode[] = [];
  let aAt = 0;
  let bAt = 0;
  for (const block of matchingBlocks(a, b)) {
    if (aAt < block.a || bAt < block.b) {
      const tag = aAt < block.a ? (bAt < block.b ? "replace" : "delete") : "insert";
      result.push({ tag, aStart: aAt, aEnd: block.a, bStart: bAt, bEnd: block.b });
    }
    aAt = block.a + block.size;
    bAt = block.b + block.size;
    if (block.size > 0) result.push({ tag: "equal", aStart: block.a, aEnd: aAt, bStart: block.b, bEnd: bAt });
  }
  return result;
}

/** Similarity from 0 to 1 (Python: `SequenceMatcher.ratio`). */
export function similarity<T>(a: readonly T[], b: readonly T[]): number {
  const total = a.length + b.length;
  if (total === 0) return 1;
  const matches = matchingBlocks(a, b).reduce((sum, block) => sum + block.size, 0);
  return (2 * matches) / total;
}

/** Where each element of `b` stands, without the popular ones. */
function indexPositions<T>(b: readonly T[]): Map<T, number[]> {
  const positions = new Map<T, number[]>();
  b.forEach((element, index) => {
    const known = positions.get(element);
    if (known === undefined) positions.set(element, [index]);
    else known.push(index);
  });
  if (b.length < 200) return positions;
  const limit = Math.floor(b.length / 100) + 1;
  for (const [element, indices] of positions) if (indices.length > limit) positions.delete(element);
  return positions;
}

function longestMatch<T>(
  a: readonly T[],
  b: readonly T[],
  positions: ReadonlyMap<T, readonly number[]>,
  aLow: number,
  aHigh: number,
  bLow: number,
  bHigh: number,
): MatchingBlock {
  let bestA = aLow;
  let bestB = bLow;
  let bestSize = 0;
  let lengths = new Map<number, number>();
  for (let i = aLow; i < aHigh; i++) {
    const next = new Map<number, number>();
    for (const j of positions.get(a[i]!) ?? []) {
      if (j < bLow) continue;
      if (j >= bHigh) break;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > bestSize) {
        bestA = i - size + 1;
        bestB = j - size + 1;
        bestSize = size;
      }
    }
    lengths = next;
  }
  while (bestA > aLow && bestB > bLow && a[bestA - 1] === b[bestB - 1]) {
    bestA--;
    bestB--;
    bestSize++;
  }
  while (bestA + bestSize < aHigh && bestB + bestSize < bHigh && a[bestA + bestSize] === b[bestB + bestSize])
    bestSize++;
  return { a: bestA, b: bestB, size: bestSize };
}

function joinAdjacent(blocks: readonly MatchingBlock[], aLength: number, bLength: number): MatchingBlock[] {
  const joined: MatchingBlock[] = [];
  let current: MatchingBlock = { a: 0, b: 0, size: 0 };
  for (const block of blocks) {
    if (current.a + current.size === block.a && current.b + current.size === block.b) {
      current = { ...current, size: current.size + block.size };
      continue;
    }
    if (current.size > 0) joined.push(current);
    current = block;
  }
  if (current.size > 0) joined.push(current);
  joined.push({ a: aLength, b: bLength, size: 0 });
  return joined;
}
