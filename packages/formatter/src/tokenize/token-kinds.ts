/**
 * Kinds that only tokens have, past those of leaves: the parser makes one STRING leaf of an f-string's parts.
 * Every other token has a `Kind`.
 */

/** A statement, or the rest of a header, that needs no tokens of its own: to the parser a name. */
export const WHOLE = 239;
export const FSTRING_START = 240;
export const FSTRING_MIDDLE = 241;
export const FSTRING_END = 242;
/** Where tokenizing failed; nothing follows. */
export const ERROR = 243;
