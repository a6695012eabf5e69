/** What a character begins, for a statement that is read without tokens; 0 is none of these. */

export const NAME = 1;
export const DIGIT = 2;
export const QUOTE = 3;
export const DOT = 4;
export const COMMA = 5;
export const OPENING = 6;
export const CLOSING = 7;
export const EQUAL = 8;
export const COLON = 9;
export const SIGN = 10;
export const STAR = 11;
export const OPERATOR = 12;
