/** Index of the first member that is not below the value, where they are ascending; their number when all are. */
export function lowerBound<Member extends number | string>(sorted: readonly Member[], value: Member): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
