/** Which tokens begin, continue or name what: lookup tables by token kind. */
import { kindSet } from "../syntax/kind-set.ts";
import { Kind } from "../syntax/kinds.ts";
import { TokenKind } from "../tokenize/token-kind.ts";

/** Tokens that are a NAME to the grammar; `None`, `True`, `False`, the soft keywords and what is read whole are. */
export const names = kindSet([
  Kind.NAME,
  Kind.KW_NONE,
  Kind.KW_TRUE,
  Kind.KW_FALSE,
  Kind.KW_MATCH,
  Kind.KW_CASE,
  Kind.KW_TYPE,
  TokenKind.WHOLE,
]);

/** Tokens that begin an `expr`: everything but `not` and `lambda`. */
const startsExpr = kindSet(
  [
    Kind.NUMBER,
    Kind.STRING,
    Kind.FSTRING_START,
    Kind.LPAR,
    Kind.LSQB,
    Kind.LBRACE,
    Kind.BACKQUOTE,
    Kind.DOT,
    Kind.PLUS,
    Kind.MINUS,
    Kind.TILDE,
    Kind.AWAIT,
  ],
  names,
);

/** Tokens that begin a `test`. */
export const startsTest = kindSet([Kind.KW_NOT, Kind.KW_LAMBDA], startsExpr);

/** Tokens that begin a `test` or a `star_expr`. */
export const startsTestOrStar = kindSet([Kind.STAR], startsTest);

/** Tokens that begin an `expr` or a `star_expr`. */
export const startsExprOrStar = kindSet([Kind.STAR], startsExpr);

/** Tokens that begin an `argument`. */
export const startsArgument = kindSet([Kind.STAR, Kind.DOUBLESTAR], startsTest);

/** Tokens that begin a subscript or a star expression within one. */
export const startsSubscript = kindSet([Kind.COLON, Kind.STAR], startsTest);

/** Augmented assignments. */
export const augmentedAssignments = kindSet([
  Kind.PLUSEQUAL,
  Kind.MINEQUAL,
  Kind.STAREQUAL,
  Kind.ATEQUAL,
  Kind.SLASHEQUAL,
  Kind.PERCENTEQUAL,
  Kind.AMPEREQUAL,
  Kind.VBAREQUAL,
  Kind.CIRCUMFLEXEQUAL,
  Kind.LEFTSHIFTEQUAL,
  Kind.RIGHTSHIFTEQUAL,
  Kind.DOUBLESTAREQUAL,
  Kind.DOUBLESLASHEQUAL,
]);
