import * as CharacterClass from "./character-classes.ts";

/** What the first character of a token says about the token. */
export * as CharacterClass from "./character-classes.ts";

/** `CharacterClass` of every code; what is not ASCII is taken for a part of a name. */
export const characterClasses = buildClasses();

/** 1 for the codes that go on with a name. */
export const nameCharacters = buildNameCharacters();

function buildClasses(): Uint8Array {
  const table = new Uint8Array(256).fill(CharacterClass.NAME, 128);
  const set = (characters: string, value: number): void => {
    for (const character of characters) table[character.charCodeAt(0)] = value;
  };
  set(" \t\f\v\r", CharacterClass.SPACE);
  set("\n", CharacterClass.NEWLINE);
  set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_", CharacterClass.NAME);
  set("0123456789", CharacterClass.DIGIT);
  set("'\"", CharacterClass.QUOTE);
  set(".", CharacterClass.DOT);
  set("#", CharacterClass.HASH);
  set("\\", CharacterClass.BACKSLASH);
  set("([{", CharacterClass.OPENING);
  set(")]}", CharacterClass.CLOSING);
  set(":", CharacterClass.COLON);
  set("+-*/%@&|^~<>=!,;`", CharacterClass.OPERATOR);
  return table;
}

function buildNameCharacters(): Uint8Array {
  const table = new Uint8Array(256);
  for (let code = 0; code < 256; code++) {
    const kind = characterClasses[code]!;
    if (kind === CharacterClass.NAME || kind === CharacterClass.DIGIT) table[code] = 1;
  }
  return table;
}

/** Whether the code is that of an ASCII digit. */
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
