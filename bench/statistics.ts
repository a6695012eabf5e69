/** The middle value. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that so large a part of all is below, from 0 to 1. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
}
