/** Why tokenizing stopped; the texts are those that Black prints, but for the limit, which is ours. */
export const TokenFailure = {
  UNEXPECTED_EOF: "Unexpected EOF in multi-line statement",
  UNTERMINATED_STRING: "Failed to parse: UnterminatedString",
  INCONSISTENT_INDENT: "Failed to parse: InconsistentUseOfTabsAndSpaces",
  UNMATCHED_DEDENT: "Failed to parse: DedentDoesNotMatchAnyOuterIndent",
  TOO_DEEP: "Failed to parse: too many nested brackets",
  AFTER_BACKSLASH: "Failed to parse: UnexpectedCharacterAfterBackslash",
} as const;

/** Raised within the tokenizer, which turns it into a last token of kind ERROR. */
export class TokenError extends Error {
  override readonly name = "TokenError";
}
