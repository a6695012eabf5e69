/** A list in pieces of at most that length, for statements and calls that take no more at once. */
export function* piecesOf<T>(list: readonly T[], length: number): Generator<readonly T[], void> {
  for (let from = 0; from < list.length; from += length) yield list.slice(from, from + length);
}
