/** A set of kinds as a lookup table: `set[kind] !== 0` means member. */
export type KindSet = Uint8Array;

/** Builds a lookup table from the kinds it holds, and those of the other sets. */
export function kindSet(kinds: readonly number[], ...others: readonly KindSet[]): KindSet {
  const table = new Uint8Array(256);
  for (const kind of kinds) table[kind] = 1;
  for (const set of others) {
    // Plain, because a dozen of these run before every first line, and not yet compiled.
    for (let kind = 0; kind < table.length; kind++) if (set[kind] === 1) table[kind] = 1;
  }
  return table;
}
