import { Kind } from "../../syntax/kinds.ts";
import { TokenKind } from "../../tokenize/token-kind.ts";

/** What a token is to the spacing rules of a verbatim line. */
export const TokenClass = {
  /** The line goes the long way: a rule for this token needs more than its neighbours. */
  OTHER: 0,
  NAME: 1,
  NUMBER: 2,
  /** Interpolated ones too. */
  STRING: 3,
  LPAR: 4,
  LSQB: 5,
  LBRACE: 6,
  CLOSING: 7,
  COMMA: 8,
  COLON: 9,
  DOT: 10,
  EQUAL: 11,
  /** `+`, `-` and `~`: before an operand or between two. */
  SIGN: 12,
  /** `*`, `**` and `/`: between operands, or part of a signature or call. */
  STAR: 13,
  /** One space on either side, and parentheses behind it stay: binary operators, `and`, `or`, `not`. */
  OPERATOR: 14,
  /** One space on either side, but parentheses behind it may be redundant. */
  KEYWORD: 15,
  AT: 16,
  IN: 17,
  NEWLINE: 18,
} as const;

/** `TokenClass` of each kind of token. */
export const tokenClasses = buildClasses();

function buildClasses(): Uint8Array {
  const table = new Uint8Array(256);
  const set = (value: number, ...kinds: readonly number[]): void => {
    for (const kind of kinds) table[kind] = value;
  };
  for (let kind = Kind.KW_AND as number; kind <= Kind.KW_YIELD; kind++) table[kind] = TokenClass.KEYWORD;
  set(TokenClass.NAME, Kind.NAME, Kind.KW_NONE, Kind.KW_TRUE, Kind.KW_FALSE);
  set(TokenClass.NAME, Kind.KW_MATCH, Kind.KW_CASE, Kind.KW_TYPE);
  set(TokenClass.NUMBER, Kind.NUMBER);
  set(TokenClass.STRING, Kind.STRING, TokenKind.FSTRING_START);
  set(TokenClass.LPAR, Kind.LPAR);
  set(TokenClass.LSQB, Kind.LSQB);
  set(TokenClass.LBRACE, Kind.LBRACE);
  set(TokenClass.CLOSING, Kind.RPAR, Kind.RSQB, Kind.RBRACE);
  set(TokenClass.COMMA, Kind.COMMA);
  set(TokenClass.COLON, Kind.COLON);
  set(TokenClass.DOT, Kind.DOT);
  set(TokenClass.EQUAL, Kind.EQUAL);
  set(TokenClass.SIGN, Kind.PLUS, Kind.MINUS, Kind.TILDE);
  set(TokenClass.STAR, Kind.STAR, Kind.DOUBLESTAR, Kind.SLASH);
  set(TokenClass.OPERATOR, Kind.KW_AND, Kind.KW_OR, Kind.KW_NOT);
  set(TokenClass.OPERATOR, Kind.VBAR, Kind.AMPER, Kind.CIRCUMFLEX, Kind.PERCENT, Kind.DOUBLESLASH);
  set(TokenClass.OPERATOR, Kind.LEFTSHIFT, Kind.RIGHTSHIFT);
  set(TokenClass.OPERATOR, Kind.LESS, Kind.GREATER, Kind.EQEQUAL, Kind.NOTEQUAL);
  set(TokenClass.OPERATOR, Kind.LESSEQUAL, Kind.GREATEREQUAL);
  for (let kind = Kind.PLUSEQUAL as number; kind <= Kind.DOUBLESTAREQUAL; kind++)
    table[kind] = TokenClass.KEYWORD;
  set(TokenClass.KEYWORD, Kind.DOUBLESLASHEQUAL, Kind.ATEQUAL, Kind.RARROW);
  set(TokenClass.AT, Kind.AT);
  set(TokenClass.IN, Kind.KW_IN);
  set(TokenClass.OTHER, Kind.KW_LAMBDA);
  set(TokenClass.NEWLINE, Kind.NEWLINE);
  return table;
}

/** Kinds that begin a line whose last token is the colon of a block. */
export const headers = Uint8Array.from({ length: 256 }, (_, kind) => (isHeader(kind) ? 1 : 0));

function isHeader(kind: number): boolean {
  switch (kind) {
    case Kind.KW_IF:
    case Kind.KW_ELIF:
    case Kind.KW_ELSE:
    case Kind.KW_FOR:
    case Kind.KW_WHILE:
    case Kind.KW_WITH:
    case Kind.KW_TRY:
    case Kind.KW_EXCEPT:
    case Kind.KW_FINALLY:
    case Kind.KW_DEF:
    case Kind.KW_CLASS:
      return true;
    default:
      return false;
  }
}
