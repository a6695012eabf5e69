/** State of the innermost bracket, or of the statement outside brackets: its kind in the lowest bits, and flags. */

export const KIND = 7;
export const STATEMENT = 0;
export const CALL = 1;
export const PARAMETERS = 2;
/** Parentheses that do not call. */
export const GROUP = 3;
export const LIST = 4;
export const SUBSCRIPT = 5;
export const BRACE = 6;

/** The element has an `=`. */
export const EQUAL_SEEN = 1 << 3;
/** The element begins with a star. */
export const STARRED = 1 << 4;
/** Nothing that binds looser than `|` may come: behind the star of an element, after `del`. */
export const ONLY_EXPR = 1 << 5;
/** An `if` waits for its `else`. */
export const PENDING = 1 << 6;
/** Between `for` and its `in`. */
export const TARGET = 1 << 7;
/** Behind the `in` of a comprehension. */
export const CLAUSE = 1 << 8;
export const COMMA_SEEN = 1 << 9;
/** The element has its colon: a dictionary's value, a type. */
export const KEYED = 1 << 10;
export const DICT = 1 << 11;
export const SET = 1 << 12;
/** A parameter's name is due, or has just been read. */
export const HEAD = 1 << 13;
/** A star was among the parameters. */
export const AFTER_STAR = 1 << 14;
/** `**` was among the parameters. */
export const LAST = 1 << 15;
/** Only the end of the header or the type of what is returned may come. */
export const DONE = 1 << 16;
export const NO_COMMA = 1 << 17;
export const NO_EQUAL = 1 << 18;
export const NO_COLON = 1 << 19;
export const NO_AUGMENT = 1 << 20;
export const MAY_AS = 1 << 21;
export const MAY_FROM = 1 << 22;
/** One comma may come and no other. */
export const ONE_COMMA = 1 << 23;
/** An element of the bracket begins with a star. */
export const HAS_STAR = 1 << 24;
export const SECOND_COLON = 1 << 25;
/** The items of a `with`. */
export const ITEMS = 1 << 26;
export const SECOND_COMMA = 1 << 27;
/** Parentheses that would go if they held one element and nothing followed them. */
export const IS_OPTIONAL = 1 << 28;

/** Flags with which no value may begin. */
export const NO_VALUE = HEAD | DONE;

/** What an element's end resets. */
export const ELEMENT = EQUAL_SEEN | STARRED | ONLY_EXPR | KEYED;
