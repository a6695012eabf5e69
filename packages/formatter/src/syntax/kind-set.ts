/** A set of kinds as a lookup table: `set[kind] !== 0` means member. */
export type KindSet = Uint8Array;

/** Builds a lookup table from the kinds it holds, and those of the other sets. */
export function kindSet(kinds: readonly number[], ...others: readonly KindSet[]): KindSet {
  const [first, ...rest] = others;
  // Copied, because a dozen of these run before every first line, where a loop is not yet compiled.
  const table = first === undefined ? new Uint8Array(256) : new Uint8Array(first);
  for (const set of rest)
    for (let kind = 0; kind < table.length; kind++) if (set[kind] === 1) table[kind] = 1;
  for (const kind of kinds) table[kind] = 1;
  return table;
}
