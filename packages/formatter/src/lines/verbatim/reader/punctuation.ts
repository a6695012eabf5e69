/** Commas, `=` and colons. */
import { Priority } from "../../delimiters.ts";
import * as Before from "./before.ts";
import * as Level from "./level.ts";
import { BREAK, endsOperand, type Reader } from "./reader.ts";

const LF = 10;
const EQUAL_SIGN = 61;

export function readComma(r: Reader, at: number): number {
  const { before, level, depth } = r;
  if (before === Before.SPLIT_CLOSING) {
    if (depth === 0) return -1;
    r.split.hasClosed = false;
  } else if (before === Before.PARAMETER_STAR) {
    if ((level & Level.HEAD) === 0) return -1;
  } else if (!endsOperand(before) && before !== Before.ELLIPSIS && before !== Before.SLICE_COLON) return -1;
  if ((level & (Level.PENDING | Level.CLAUSE | Level.NO_COMMA | Level.DONE)) !== 0) return -1;
  const isTarget = (level & Level.TARGET) !== 0;
  let next = (isTarget ? level : level & ~Level.ELEMENT) | Level.COMMA_SEEN;
  if ((level & Level.COMMA_SEEN) !== 0) next |= Level.SECOND_COMMA;
  switch (level & Level.KIND) {
    case Level.PARAMETERS:
      next |= Level.HEAD;
      break;
    case Level.BRACE:
      if ((level & Level.DICT) === 0) next |= Level.SET;
      else if ((level & Level.KEYED) === 0) return -1;
      break;
    case Level.STATEMENT:
      // `del` and annotations go on for the whole statement.
      next |= (level & (Level.ONLY_EXPR | Level.KEYED)) | Level.NO_COLON;
      if ((level & Level.ONE_COMMA) !== 0) next |= Level.NO_COMMA;
      if ((level & Level.ITEMS) !== 0) next |= Level.MAY_AS;
      r.split.isPlain = false;
      break;
    case Level.SUBSCRIPT:
      next &= ~Level.SECOND_COLON;
      break;
    default:
  }
  r.level = next;
  r.isSimple = true;
  r.isSlice = false;
  r.before = Before.COMMA;
  // A comma between the targets of a `for` is no delimiter.
  if (r.hasSplit && r.codes[at + 1] !== LF && !isTarget) r.split.noteInnerComma(depth);
  return at + 1;
}

const NO_EQUAL =
  Level.PENDING |
  Level.TARGET |
  Level.CLAUSE |
  Level.STARRED |
  Level.ONLY_EXPR |
  Level.DONE |
  Level.NO_EQUAL |
  Level.EQUAL_SEEN;

export function readEqual(r: Reader, at: number, gap: number): number {
  const { level } = r;
  if (r.codes[at + 1] === EQUAL_SIGN) return readEquality(r, at, gap);
  if (!endsOperand(r.before) || (level & NO_EQUAL) !== 0) return -1;
  switch (level & Level.KIND) {
    case Level.STATEMENT:
      if (gap !== 1) return -1;
      // Of several targets the last ones may move to the next line with the value.
      if (r.sawEqual) r.split.isPlain = false;
      else r.split.beginValue();
      r.sawEqual = true;
      r.level =
        level | Level.NO_AUGMENT | Level.NO_COLON | ((level & Level.KEYED) !== 0 ? Level.NO_EQUAL : 0);
      r.before = Before.EQUAL;
      return at + 1;
    case Level.CALL:
      if (gap !== 0) return -1;
      r.level = level | Level.EQUAL_SEEN;
      r.before = Before.ARGUMENT_EQUAL;
      return at + 1;
    case Level.PARAMETERS: {
      const isTyped = (level & Level.KEYED) !== 0;
      if (gap !== (isTyped ? 1 : 0)) return -1;
      r.level = (level & ~Level.HEAD) | Level.EQUAL_SEEN;
      r.before = isTyped ? Before.EQUAL : Before.ARGUMENT_EQUAL;
      return at + 1;
    }
    default:
      return -1;
  }
}

function readEquality(r: Reader, at: number, gap: number): number {
  if (!mayOperate(r, gap) || (r.level & Level.ONLY_EXPR) !== 0) return -1;
  r.noteDelimiter(gap, Priority.COMPARATOR);
  r.before = Before.OPERATOR;
  return at + 2;
}

/** Whether a binary operator may come. */
export function mayOperate(r: Reader, gap: number): boolean {
  if ((gap !== 1 && gap !== BREAK) || !endsOperand(r.before) || r.isSlice) return false;
  return (r.level & (Level.NO_VALUE | Level.TARGET)) === 0;
}

/** A colon other than that of a header. */
export function readColon(r: Reader, at: number, gap: number): number {
  const { level, before } = r;
  if (r.codes[at + 1] === EQUAL_SIGN) return -1;
  if ((level & Level.KIND) === Level.SUBSCRIPT) return readSliceColon(r, at, gap);
  if (gap !== 0 || !endsOperand(before)) return -1;
  switch (level & Level.KIND) {
    case Level.STATEMENT:
      if ((level & (Level.NO_COLON | Level.PENDING | Level.DONE)) !== 0) return -1;
      r.level = level | Level.KEYED | Level.NO_COMMA | Level.NO_AUGMENT | Level.NO_COLON;
      r.split.isPlain = false;
      break;
    case Level.PARAMETERS:
      if ((level & Level.HEAD) === 0) return -1;
      r.level = (level & ~Level.HEAD) | Level.KEYED;
      break;
    case Level.BRACE:
      if ((level & NO_KEY) !== 0) return -1;
      r.level = level | Level.DICT | Level.KEYED;
      break;
    default:
      return -1;
  }
  r.before = Before.COLON;
  return at + 1;
}

const NO_KEY =
  Level.EQUAL_SEEN | Level.SET | Level.KEYED | Level.PENDING | Level.TARGET | Level.CLAUSE | Level.STARRED;

function readSliceColon(r: Reader, at: number, gap: number): number {
  const { level, before } = r;
  if (!r.isSimple && !r.isSlice) return -1;
  if (before === Before.COMMA) {
    if (gap !== 1) return -1;
  } else if (gap !== 0) return -1;
  else if (before !== Before.OPENING && before !== Before.SLICE_COLON && !endsOperand(before)) return -1;
  if ((level & Level.SECOND_COLON) !== 0) return -1;
  r.level = level | ((level & Level.KEYED) !== 0 ? Level.SECOND_COLON : Level.KEYED);
  r.isSlice = true;
  r.before = Before.SLICE_COLON;
  return at + 1;
}
