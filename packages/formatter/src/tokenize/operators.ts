/** Operators and delimiters other than brackets, dots and colons. */
import { Kind } from "../syntax/kinds.ts";

const EQUAL = 61;

/** Kind of the operator of one character, by character code. */
const single = new Uint8Array(128);
/** Kind of that character followed by `=`; 0 where Python has none. */
const withEqual = new Uint8Array(128);
/** Kind of the doubled character; 0 where Python has none. */
const doubled = new Uint8Array(128);
/** Kind of the doubled character followed by `=`. */
const doubledWithEqual = new Uint8Array(128);

define("+", Kind.PLUS, Kind.PLUSEQUAL);
define("-", Kind.MINUS, Kind.MINEQUAL);
define("*", Kind.STAR, Kind.STAREQUAL, Kind.DOUBLESTAR, Kind.DOUBLESTAREQUAL);
define("/", Kind.SLASH, Kind.SLASHEQUAL, Kind.DOUBLESLASH, Kind.DOUBLESLASHEQUAL);
define("%", Kind.PERCENT, Kind.PERCENTEQUAL);
define("@", Kind.AT, Kind.ATEQUAL);
define("&", Kind.AMPER, Kind.AMPEREQUAL);
define("|", Kind.VBAR, Kind.VBAREQUAL);
define("^", Kind.CIRCUMFLEX, Kind.CIRCUMFLEXEQUAL);
define("~", Kind.TILDE);
define("<", Kind.LESS, Kind.LESSEQUAL, Kind.LEFTSHIFT, Kind.LEFTSHIFTEQUAL);
define(">", Kind.GREATER, Kind.GREATEREQUAL, Kind.RIGHTSHIFT, Kind.RIGHTSHIFTEQUAL);
define("=", Kind.EQUAL, Kind.EQEQUAL);
define("!", Kind.BANG, Kind.NOTEQUAL);
define(",", Kind.COMMA);
define(";", Kind.SEMI);
define("`", Kind.BACKQUOTE);

function define(character: string, alone: number, equal = 0, twice = 0, twiceEqual = 0): void {
  const code = character.charCodeAt(0);
  single[code] = alone;
  withEqual[code] = equal;
  doubled[code] = twice;
  doubledWithEqual[code] = twiceEqual;
}

/** Kind and length of the operator at `at`, as `kind * 4 + length`. `<>` and `->` are known. */
export function scanOperator(codes: Uint8Array, at: number, code: number): number {
  const next = codes[at + 1]!;
  if (next === EQUAL) {
    const kind = withEqual[code]!;
    return kind !== 0 ? kind * 4 + 2 : single[code]! * 4 + 1;
  }
  if (next === code && doubled[code] !== 0) {
    return codes[at + 2]! === EQUAL ? doubledWithEqual[code]! * 4 + 3 : doubled[code]! * 4 + 2;
  }
  if (next === 62) {
    if (code === 45) return Kind.RARROW * 4 + 2;
    if (code === 60) return Kind.NOTEQUAL * 4 + 2;
  }
  return single[code]! * 4 + 1;
}
