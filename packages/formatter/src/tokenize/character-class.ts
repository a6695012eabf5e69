import * as CharacterClass from "./character-classes.ts";
import { codeTable, DIGITS, LETTERS } from "./code-table.ts";

/** What the first character of a token says about the token. */
export * as CharacterClass from "./character-classes.ts";

/** `CharacterClass` of every code; what is not ASCII is taken for a part of a name. */
export const characterClasses = codeTable(
  [
    [" \t\f\v\r", CharacterClass.SPACE],
    ["\n", CharacterClass.NEWLINE],
    [LETTERS, CharacterClass.NAME],
    [DIGITS, CharacterClass.DIGIT],
    ["'\"", CharacterClass.QUOTE],
    [".", CharacterClass.DOT],
    ["#", CharacterClass.HASH],
    ["\\", CharacterClass.BACKSLASH],
    ["([{", CharacterClass.OPENING],
    [")]}", CharacterClass.CLOSING],
    [":", CharacterClass.COLON],
    ["+-*/%@&|^~<>=!,;`", CharacterClass.OPERATOR],
  ],
  CharacterClass.NAME,
);

/** 1 for the codes that go on with a name. */
export const nameCharacters = codeTable([[LETTERS + DIGITS, 1]], 1);

/** Whether the code is that of an ASCII digit. */
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
