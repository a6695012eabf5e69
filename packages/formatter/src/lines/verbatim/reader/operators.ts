/** Signs, stars and other operators. */
import { Kind } from "../../../syntax/kinds.ts";
import { scanOperator } from "../../../tokenize/operators.ts";
import { mathPriority, Priority } from "../../delimiters.ts";
import * as Before from "./before.ts";
import * as Level from "./level.ts";
import { mayOperate } from "./punctuation.ts";
import { endsOperand, type Reader, takesOperand } from "./reader.ts";

const STAR = 42;
const MINUS = 45;
const EQUAL_SIGN = 61;
const GREATER = 62;
const TILDE = 126;

export function readSign(r: Reader, at: number, code: number, gap: number): number {
  const next = r.codes[at + 1]!;
  if (r.before > Before.IN) {
    if (code === MINUS && next === GREATER) return readReturnType(r, at, gap);
    if (code === TILDE) return -1;
    if (next === EQUAL_SIGN) return readAugmentedAssignment(r, at + 2, gap);
    if (!mayOperate(r, gap)) return -1;
    r.noteDelimiter(gap, mathPriority(Kind.PLUS));
    r.before = Before.OPERATOR;
    return at + 1;
  }
  if (!takesOperand(r, gap) || r.before === Before.UNARY) return -1;
  if ((r.level & (Level.NO_VALUE | Level.TARGET)) !== 0) return -1;
  const { isSimple } = r;
  r.noteOperator(gap);
  r.isSimple = isSimple;
  r.before = Before.UNARY;
  return at + 1;
}

/** The arrow behind a function's parameters. */
function readReturnType(r: Reader, at: number, gap: number): number {
  const { level, before } = r;
  if (gap !== 1 || r.depth > 0 || (level & (Level.DONE | Level.NO_AUGMENT)) !== Level.DONE) return -1;
  if (before !== Before.CLOSING && before !== Before.SPLIT_CLOSING) return -1;
  r.split.hasClosed = false;
  r.split.isPlain = false;
  r.level = Level.STATEMENT | Level.NO_COMMA | Level.NO_EQUAL | Level.NO_AUGMENT;
  r.before = Before.KEYWORD;
  return at + 2;
}

const NO_AUGMENT = Level.NO_AUGMENT | Level.PENDING | Level.TARGET | Level.DONE | Level.ONLY_EXPR;

function readAugmentedAssignment(r: Reader, end: number, gap: number): number {
  if (gap !== 1 || r.depth > 0 || !endsOperand(r.before) || (r.level & NO_AUGMENT) !== 0) return -1;
  r.level |= Level.NO_AUGMENT | Level.NO_EQUAL | Level.NO_COLON;
  r.split.beginValue();
  r.operandStart = end + 1;
  r.before = Before.KEYWORD;
  return end;
}

export function readStar(r: Reader, at: number, code: number, gap: number): number {
  if (r.before > Before.IN) return readOperator(r, at, code, gap);
  const isFirst = r.before === Before.OPENING || r.before === Before.COMMA;
  if (code !== STAR || !isFirst || r.sawFor || r.depth === 0 || !takesOperand(r, gap)) return -1;
  const isDouble = r.codes[at + 1] === STAR;
  const level = levelBehindStar(r.level, isDouble);
  if (level === -1) return -1;
  r.level = level | Level.HAS_STAR;
  r.noteOperator(gap);
  r.before = (level & Level.KIND) === Level.PARAMETERS && !isDouble ? Before.PARAMETER_STAR : Before.UNARY;
  return isDouble ? at + 2 : at + 1;
}

/** The level with what a star at the beginning of an element means to it; -1 where none may be. */
function levelBehindStar(level: number, isDouble: boolean): number {
  switch (level & Level.KIND) {
    case Level.CALL:
      return level | Level.STARRED;
    case Level.PARAMETERS:
      if ((level & Level.LAST) !== 0) return -1;
      if (isDouble) return level | Level.STARRED | Level.LAST;
      return (level & Level.AFTER_STAR) !== 0 ? -1 : level | Level.STARRED | Level.AFTER_STAR;
    case Level.GROUP:
    case Level.LIST:
      return isDouble ? -1 : level | Level.STARRED | Level.ONLY_EXPR;
    case Level.BRACE:
      if (isDouble) {
        if ((level & Level.SET) !== 0) return -1;
        return level | Level.STARRED | Level.ONLY_EXPR | Level.DICT | Level.KEYED;
      }
      if ((level & Level.DICT) !== 0) return -1;
      return level | Level.STARRED | Level.ONLY_EXPR | Level.SET;
    default:
      return -1;
  }
}

/** A binary operator or an augmented assignment. */
export function readOperator(r: Reader, at: number, code: number, gap: number): number {
  const found = scanOperator(r.codes, at, code);
  const kind = found >> 2;
  const end = at + (found & 3);
  if (kind >= Kind.PLUSEQUAL && kind <= Kind.DOUBLESTAREQUAL) return readAugmentedAssignment(r, end, gap);
  switch (kind) {
    case Kind.DOUBLESLASHEQUAL:
    case Kind.ATEQUAL:
      return readAugmentedAssignment(r, end, gap);
    case Kind.DOUBLESTAR:
    case Kind.BANG:
      return -1;
    case Kind.LESS:
    case Kind.GREATER:
    case Kind.LESSEQUAL:
    case Kind.GREATEREQUAL:
      if ((r.level & Level.ONLY_EXPR) !== 0) return -1;
      break;
    case Kind.NOTEQUAL:
      // `<>` is one too.
      if ((r.level & Level.ONLY_EXPR) !== 0 || r.codes[at] === 60) return -1;
      break;
    default:
  }
  if (!mayOperate(r, gap)) return -1;
  r.noteDelimiter(gap, mathPriority(kind) || Priority.COMPARATOR);
  r.before = Before.OPERATOR;
  return end;
}
