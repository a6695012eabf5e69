import { codeTable, DIGITS, LETTERS } from "../../../tokenize/code-table.ts";
import * as CodeClass from "./code-class.ts";

/** `CodeClass` of each code. */
export const codeClasses = codeTable([
  [LETTERS, CodeClass.NAME],
  [DIGITS, CodeClass.DIGIT],
  ["\"'", CodeClass.QUOTE],
  [".", CodeClass.DOT],
  [",", CodeClass.COMMA],
  ["([{", CodeClass.OPENING],
  [")]}", CodeClass.CLOSING],
  ["=", CodeClass.EQUAL],
  [":", CodeClass.COLON],
  ["+-~", CodeClass.SIGN],
  ["*/", CodeClass.STAR],
  ["%@&|^<>!", CodeClass.OPERATOR],
]);

/** 1 for the codes that go on with a name. */
export const nameCodes = codeTable([[LETTERS + DIGITS, 1]]);
