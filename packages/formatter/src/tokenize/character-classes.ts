/** What the first character of a token says about the token; with 0 none starts. */

export const SPACE = 1;
export const NEWLINE = 2;
export const NAME = 3;
export const DIGIT = 4;
export const QUOTE = 5;
export const DOT = 6;
export const HASH = 7;
export const BACKSLASH = 8;
export const OPENING = 9;
export const CLOSING = 10;
export const COLON = 11;
export const OPERATOR = 12;
