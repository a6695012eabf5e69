export const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
export const DIGITS = "0123456789";

/** A class for each code: that of the set its character is in; `nonAscii` for what `codesOf` gives above U+007F. */
export function codeTable(
  sets: readonly (readonly [characters: string, codeClass: number])[],
  nonAscii = 0,
): Uint8Array {
  const table = new Uint8Array(256).fill(nonAscii, 128);
  // Plain, because this runs before every first line, and not yet compiled.
  for (const [characters, codeClass] of sets)
    for (let i = 0; i < characters.length; i++) table[characters.charCodeAt(i)] = codeClass;
  return table;
}
