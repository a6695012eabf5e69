/** What the last token was, as far as the next one depends on it. Up to `IN` an operand is expected. */

export const OPENING = 0;
/** A sign before an operand, a star before an argument or element. */
export const UNARY = 1;
/** The `=` of an argument or of a parameter without a type. */
export const ARGUMENT_EQUAL = 2;
export const SLICE_COLON = 3;
/** The star before parameters that are given by name, or before a parameter. */
export const PARAMETER_STAR = 4;
export const COMMA = 5;
export const EQUAL = 6;
export const COLON = 7;
/** A binary operator, `and`, `or` and `not` apart. */
export const OPERATOR = 8;
/** `and`, `or`, `not`. */
export const BOOLEAN = 9;
/** A keyword or augmented assignment; parentheses behind it may be redundant. */
export const KEYWORD = 10;
export const IS = 11;
/** The comparison `in`. */
export const IN = 12;
export const NAME = 13;
export const CLOSING = 14;
export const NUMBER = 15;
export const STRING = 16;
/** A closing bracket at the beginning of a line. */
export const SPLIT_CLOSING = 17;
export const ELLIPSIS = 18;
