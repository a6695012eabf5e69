import * as Kind from "./kind-table.ts";

/**
 * Every kind of leaf and node in one numbering: leaves first, nodes from `FIRST_NODE` on.
 *
 * Names are those of blib2to3 (`pgen2/token.py`, `Grammar.txt`), so that a rule can be read beside Black's.
 * Two differences: each keyword has a kind of its own, contiguous with `NAME` (blib2to3 has one type NAME and
 * compares texts), and an f-string or t-string is one STRING leaf (Black's `visit_fstring` makes it one anyway); a node of
 * its parts only where Black sees to these, and then a t-string has the kinds of an f-string.
 */
export * as Kind from "./kind-table.ts";

/** Kinds from here on are nodes with children; those below are leaves. */
export const FIRST_NODE = Kind.file_input;

/** Whether the kind is what blib2to3 calls `token.NAME`: an identifier or a keyword. */
export function isNameKind(kind: number): boolean {
  return kind >= Kind.NAME && kind <= Kind.KW_TYPE;
}

/** Whether the kind is an opening bracket (`nodes.py` OPENING_BRACKETS). */
export function isOpeningBracket(kind: number): boolean {
  return kind >= Kind.LPAR && kind <= Kind.LBRACE;
}

/** Whether the kind is a closing bracket (`nodes.py` CLOSING_BRACKETS). */
export function isClosingBracket(kind: number): boolean {
  return kind >= Kind.RPAR && kind <= Kind.RBRACE;
}

/** The closing bracket that belongs to an opening one (`nodes.py` BRACKET). */
export function closingBracketOf(opening: number): number {
  return opening + (Kind.RPAR - Kind.LPAR);
}
