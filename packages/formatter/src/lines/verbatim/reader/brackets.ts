/** Brackets of a statement, opened and closed. */
import { Feature } from "../../../mode/target-version.ts";
import { Bracket } from "../bracket.ts";
import * as Before from "./before.ts";
import * as CodeClass from "./code-class.ts";
import { codeClasses } from "./code-classes.ts";
import * as Level from "./level.ts";
import { BREAK, endsOperand, type Reader, takesOperand } from "./reader.ts";

const LF = 10;
const SPACE = 32;
const LPAR = 40;
const RPAR = 41;
const DOT = 46;
const EQUAL_SIGN = 61;
const LSQB = 91;
const RSQB = 93;

export function openBracket(r: Reader, at: number, code: number, gap: number): number {
  const { before, level } = r;
  if (r.isSlice || (level & Level.NO_VALUE) !== 0) return -1;
  if (endsOperand(before)) {
    if (gap !== 0 || (before !== Before.NAME && before !== Before.CLOSING)) return -1;
    if (code === LPAR) return r.open(Level.CALL, Bracket.CALL) ? at + 1 : -1;
    return code === LSQB && r.open(Level.SUBSCRIPT, Bracket.OTHER) ? at + 1 : -1;
  }
  if (!takesOperand(r, gap)) return -1;
  if (code === LPAR) {
    if (mayHoldParentheses(r) || gap === BREAK) return r.open(Level.GROUP, Bracket.GROUP) ? at + 1 : -1;
    if (beginsSplitValue(r, at)) {
      noteOptionalParentheses(r);
      return r.open(Level.GROUP, Bracket.OPTIONAL) ? at + 1 : -1;
    }
    return mayHoldTuple(r) && r.open(Level.GROUP | Level.IS_OPTIONAL, Bracket.GROUP) ? at + 1 : -1;
  }
  return r.open(code === LSQB ? Level.LIST : Level.BRACE, Bracket.DISPLAY) ? at + 1 : -1;
}

/**
 * Whether parentheses that do not call stay where they are (Black: they are no child of a statement directly after
 * one of the leaves that `normalize_invisible_parens` looks for, nor the only element of a list or set).
 */
function mayHoldParentheses(r: Reader): boolean {
  const kind = r.level & Level.KIND;
  switch (r.before) {
    case Before.OPERATOR:
    case Before.BOOLEAN:
      return true;
    case Before.OPENING:
      return kind === Level.GROUP || kind === Level.CALL || kind === Level.PARAMETERS;
    case Before.COMMA:
    case Before.EQUAL:
    case Before.ARGUMENT_EQUAL:
    case Before.UNARY:
      return r.depth > 0;
    case Before.COLON:
      return kind === Level.BRACE;
    case Before.IN:
      return !r.sawFor;
    default:
      return false;
  }
}

const NO_TUPLE = Level.TARGET | Level.ONLY_EXPR | Level.MAY_AS | Level.ITEMS;

/**
 * Whether parentheses stay if they are those of a tuple or generator, or of an operand only (Black:
 * `maybe_make_parens_invisible_in_atom`, which is asked for whole values and for the only element of a list or set).
 */
function mayHoldTuple(r: Reader): boolean {
  if ((r.level & NO_TUPLE) !== 0) return false;
  switch (r.before) {
    case Before.OPENING:
    case Before.COMMA:
    case Before.EQUAL:
    case Before.KEYWORD:
      return true;
    default:
      return false;
  }
}

/** Whether the parenthesis ends its line and is the beginning of a statement's value. */
function beginsSplitValue(r: Reader, at: number): boolean {
  return r.depth === 0 && r.codes[at + 1] === LF && (r.before === Before.EQUAL || at === r.operandStart);
}

/**
 * Without brackets to split at the optional parentheses stay however little they hold. Brackets of the only target are
 * no reason to leave them out (Black: `_prefer_split_rhs_oop_over_rhs`).
 */
function noteOptionalParentheses(r: Reader): void {
  const mayPrecede = r.before === Before.EQUAL && (r.level & Level.KEYED) === 0 ? 1 : 0;
  r.mayBeLone = !r.sawFor && r.brackets <= mayPrecede;
  r.bracketsBefore = r.brackets;
}

const UNFINISHED = Level.PENDING | Level.TARGET;

export function closeBracket(r: Reader, at: number, code: number, gap: number): number {
  const { before, level } = r;
  const kind = level & Level.KIND;
  if (code !== closingOf(kind) || (level & UNFINISHED) !== 0) return -1;
  if (gap === BREAK) {
    if (before === Before.COMMA && (level & Level.HAS_STAR) !== 0) noteTrailingComma(r, kind);
  } else {
    // A bracket that ends a line is closed at the beginning of one.
    if (gap !== 0 || r.depth - 1 < r.split.base) return -1;
    if (before === Before.COMMA && !isOneTuple(level)) return -1;
  }
  if (!mayClose(r, kind, gap)) return -1;
  if ((level & Level.IS_OPTIONAL) !== 0) {
    if (gap === BREAK || !(isTuple(r) || isOperand(r, at + 1))) return -1;
    if (r.depth - 1 === r.split.base) r.split.isPlain = false;
  }
  r.close();
  const endsTrailer = r.split.hasClosed && r.depth === r.split.base;
  r.before = endsTrailer ? Before.SPLIT_CLOSING : Before.CLOSING;
  return at + 1;
}

/** Whether the level is that of parentheses round an element with a comma, which is no magic trailing comma. */
function isOneTuple(level: number): boolean {
  return (level & (Level.KIND | Level.HAS_STAR | Level.SECOND_COMMA)) === Level.GROUP;
}

function isTuple(r: Reader): boolean {
  return (r.level & (Level.COMMA_SEEN | Level.CLAUSE)) !== 0 || r.before === Before.OPENING;
}

/** Whether what follows at `at` makes the brackets before it part of a larger expression. */
function isOperand(r: Reader, at: number): boolean {
  const { codes, source } = r;
  if (codes[at] === DOT || codes[at] === LPAR || codes[at] === LSQB) return true;
  if (codes[at] !== SPACE) return false;
  switch (codeClasses[codes[at + 1]!]) {
    case CodeClass.SIGN:
    case CodeClass.STAR:
    case CodeClass.OPERATOR:
      return true;
    case CodeClass.EQUAL:
      return codes[at + 2] === EQUAL_SIGN;
    case CodeClass.NAME:
      return source.startsWith("and ", at + 1) || source.startsWith("or ", at + 1);
    default:
      return false;
  }
}

function mayClose(r: Reader, kind: number, gap: number): boolean {
  const { before, level } = r;
  if (before === Before.COMMA) return true;
  if (before === Before.OPENING) return kind !== Level.SUBSCRIPT;
  if (before === Before.SLICE_COLON) return true;
  if (!endsOperand(before) && before !== Before.ELLIPSIS) {
    if (before !== Before.SPLIT_CLOSING || gap !== BREAK) return false;
  }
  return (level & (Level.DICT | Level.KEYED)) !== Level.DICT;
}

function noteTrailingComma(r: Reader, kind: number): void {
  if (kind === Level.CALL) r.features |= Feature.TRAILING_COMMA_IN_CALL;
  else if (kind === Level.PARAMETERS) r.features |= Feature.TRAILING_COMMA_IN_DEF;
}

function closingOf(kind: number): number {
  switch (kind) {
    case Level.CALL:
    case Level.PARAMETERS:
    case Level.GROUP:
      return RPAR;
    case Level.LIST:
    case Level.SUBSCRIPT:
      return RSQB;
    case Level.BRACE:
      return 125;
    default:
      return -1;
  }
}
