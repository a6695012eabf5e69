/**
 * Kinds that only tokens have, past those of leaves: the parser makes one STRING leaf of an f-string's parts.
 * Every other token has a `Kind`.
 */
export const TokenKind = {
  FSTRING_START: 240,
  FSTRING_MIDDLE: 241,
  FSTRING_END: 242,
  /** Where tokenizing failed; nothing follows. */
  ERROR: 243,
} as const;
