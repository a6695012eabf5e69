/** A set of kinds as a lookup table: `set[kind] !== 0` means member. */
export type KindSet = Uint8Array;

/** Builds a lookup table from the kinds it holds, and those of the other sets. */
export function kindSet(kinds: readonly number[], ...others: readonly KindSet[]): KindSet {
  // Dozens of these run before every first line, where a loop is not yet compiled: so a set is copied, and searched for
  // its members, rather than walked.
  const table = others.length === 0 ? new Uint8Array(256) : new Uint8Array(others[0]!);
  for (let i = 1; i < others.length; i++)
    for (let kind = others[i]!.indexOf(1); kind !== -1; kind = others[i]!.indexOf(1, kind + 1))
      table[kind] = 1;
  for (let i = 0; i < kinds.length; i++) table[kinds[i]!] = 1;
  return table;
}
