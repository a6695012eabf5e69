import * as CodeClass from "./code-class.ts";

/** `CodeClass` of each code. */
export const codeClasses = buildClasses();

/** 1 for the codes that go on with a name. */
export const nameCodes = Uint8Array.from({ length: 256 }, (_, code) =>
  codeClasses[code] === CodeClass.NAME || codeClasses[code] === CodeClass.DIGIT ? 1 : 0,
);

function buildClasses(): Uint8Array {
  const table = new Uint8Array(256);
  const set = (characters: string, value: number): void => {
    for (const character of characters) table[character.charCodeAt(0)] = value;
  };
  set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_", CodeClass.NAME);
  set("0123456789", CodeClass.DIGIT);
  set('"', CodeClass.QUOTE);
  set(".", CodeClass.DOT);
  set(",", CodeClass.COMMA);
  set("([{", CodeClass.OPENING);
  set(")]}", CodeClass.CLOSING);
  set("=", CodeClass.EQUAL);
  set(":", CodeClass.COLON);
  set("+-~", CodeClass.SIGN);
  set("*/", CodeClass.STAR);
  set("%@&|^<>!", CodeClass.OPERATOR);
  return table;
}
