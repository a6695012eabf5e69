/**
 * Kinds that only tokens have, past those of leaves. Every other token has a `Kind`.
 */

/** A statement, or the rest of a header, that needs no tokens of its own: to the parser a name. */
export const WHOLE = 239;
/** Where tokenizing failed; nothing follows. */
export const ERROR = 243;
