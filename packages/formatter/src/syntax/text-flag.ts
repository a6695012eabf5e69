/** What is known about a leaf's own text. */

/** The text holds a line break (triple-quoted or continued string). */
export const MULTILINE = 1;
/** The text holds a character above U+007F, so that its width differs from its length. */
export const NON_ASCII = 2;
/** A STRING leaf that was an f-string or t-string in the source. */
export const INTERPOLATED = 4;
/** An INTERPOLATED leaf with an operator, a call or the like in a field, until its line is complete. */
export const HOLDS_EXPRESSION = 8;
/** An INTERPOLATED leaf with an assignment expression in a field. */
export const HOLDS_WALRUS = 64;
/** The text holds a backslash; not noted of strings that are interpolated. */
export const BACKSLASH = 16;
/** The leaf begins a line of the source that is printed as it stands if its indentation is right. */
export const VERBATIM = 32;
