export const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
export const DIGITS = "0123456789";

/** A class for each code: that of the set its character is in; `nonAscii` for what `codesOf` gives above U+007F. */
export function codeTable(
  sets: readonly (readonly [characters: string, codeClass: number])[],
  nonAscii = 0,
): Uint8Array {
  const table = new Uint8Array(256).fill(nonAscii, 128);
  for (const [characters, codeClass] of sets)
    for (const character of characters) table[character.charCodeAt(0)] = codeClass;
  return table;
}

/** 1 for the codes that go on with a name: those of the two classes. */
export function nameCodesOf(table: Uint8Array, name: number, digit: number): Uint8Array {
  return table.map((codeClass) => (codeClass === name || codeClass === digit ? 1 : 0));
}
