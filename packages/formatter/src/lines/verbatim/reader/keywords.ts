/** Keywords within a statement. */
import { Kind } from "../../../syntax/kinds.ts";
import { Priority } from "../../delimiters.ts";
import * as Before from "./before.ts";
import { readLambda } from "./lambda.ts";
import * as Level from "./level.ts";
import { readName } from "./names.ts";
import { BREAK, endsOperand, type Reader, takesOperand } from "./reader.ts";

const SPACE = 32;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;

export function readKeyword(r: Reader, kind: number, end: number, gap: number): number {
  if (r.isSlice || (r.level & Level.NO_VALUE) !== 0) return -1;
  if (!endsOperand(r.before)) return readUnaryKeyword(r, kind, end, gap);
  if (gap !== 1 && gap !== BREAK) return -1;
  return readBinaryKeyword(r, kind, end, gap);
}

function readUnaryKeyword(r: Reader, kind: number, end: number, gap: number): number {
  switch (kind) {
    case Kind.KW_NOT:
      return readNot(r, end, gap);
    case Kind.AWAIT:
      return readAwait(r, end, gap);
    case Kind.KW_LAMBDA:
      return readLambda(r, end, gap);
    default:
      return -1;
  }
}

/** `await` and the name that its operand begins with: redundant parentheses would go. */
export function readAwait(r: Reader, end: number, gap: number): number {
  if (!takesOperand(r, gap) || (r.level & Level.TARGET) !== 0) return -1;
  if (r.codes[end] !== SPACE) return -1;
  const last = readName(r, end + 1);
  if (last === -1 || r.codes[last] === DOUBLE_QUOTE || r.codes[last] === SINGLE_QUOTE) return -1;
  r.isSimple = false;
  r.before = Before.NAME;
  return last;
}

/** `not` before an operand: nowhere behind an operator that binds tighter. */
function readNot(r: Reader, end: number, gap: number): number {
  const { before } = r;
  if (!takesOperand(r, gap) || (r.level & (Level.ONLY_EXPR | Level.TARGET)) !== 0) return -1;
  switch (before) {
    case Before.OPENING:
    case Before.COMMA:
    case Before.EQUAL:
    case Before.ARGUMENT_EQUAL:
    case Before.COLON:
    case Before.BOOLEAN:
    case Before.KEYWORD:
      r.isSimple = false;
      r.before = Before.BOOLEAN;
      return end;
    default:
      return -1;
  }
}

function readBinaryKeyword(r: Reader, kind: number, end: number, gap: number): number {
  const { level } = r;
  if (kind === Kind.KW_IN && (level & Level.TARGET) !== 0) return gap === 1 ? endTargets(r, end) : -1;
  if ((level & (Level.TARGET | Level.ONLY_EXPR)) !== 0) return -1;
  switch (kind) {
    case Kind.KW_AND:
    case Kind.KW_OR:
      r.noteDelimiter(gap, Priority.LOGIC);
      r.before = Before.BOOLEAN;
      return end;
    case Kind.KW_IN:
    case Kind.KW_NOT:
    case Kind.KW_IS:
      r.noteDelimiter(gap, Priority.COMPARATOR);
      return readComparison(r, kind, end);
    case Kind.KW_IF:
      if ((level & Level.PENDING) !== 0) return -1;
      r.noteDelimiter(gap, (level & Level.CLAUSE) === 0 ? Priority.TERNARY : Priority.COMPREHENSION);
      if ((level & Level.CLAUSE) === 0) r.level = level | Level.PENDING;
      break;
    case Kind.KW_ELSE:
      if ((level & Level.PENDING) === 0) return -1;
      r.noteDelimiter(gap, Priority.TERNARY);
      r.level = level & ~Level.PENDING;
      break;
    case Kind.KW_FOR:
      if (!mayIterate(level)) return -1;
      r.noteDelimiter(gap, Priority.COMPREHENSION);
      r.level = (level & ~Level.CLAUSE) | Level.TARGET;
      r.sawFor = true;
      break;
    case Kind.KW_AS:
      if ((level & (Level.MAY_AS | Level.PENDING)) !== Level.MAY_AS || r.depth > 0) return -1;
      r.noteOperator(gap);
      r.level = level & ~Level.MAY_AS;
      break;
    case Kind.KW_FROM:
      if ((level & (Level.MAY_FROM | Level.PENDING)) !== Level.MAY_FROM || r.depth > 0) return -1;
      r.noteOperator(gap);
      r.level = level & ~Level.MAY_FROM;
      break;
    default:
      return -1;
  }
  r.before = Before.KEYWORD;
  return end;
}

/** `in`, `not in`, `is` and `is not`. */
function readComparison(r: Reader, kind: number, end: number): number {
  switch (kind) {
    case Kind.KW_IN:
      r.before = Before.IN;
      return end;
    case Kind.KW_NOT:
      if (!r.source.startsWith(" in ", end)) return -1;
      r.before = Before.IN;
      return end + " in".length;
    default:
      if (!r.source.startsWith(" not ", end)) {
        r.before = Before.IS;
        return end;
      }
      r.before = Before.OPERATOR;
      return end + " not".length;
  }
}

/** The `in` of a `for`: in brackets it belongs to a comprehension, which holds neither commas nor ternaries. */
function endTargets(r: Reader, end: number): number {
  r.level = (r.level & ~Level.TARGET) | (r.depth > 0 ? Level.CLAUSE : 0);
  r.isSimple = false;
  r.before = Before.KEYWORD;
  if (r.depth === 0) {
    r.operandStart = end + 1;
    r.split.beginValue();
  } else if (r.depth === r.split.base) r.split.isPlain = false;
  return end;
}

const NO_CLAUSES = Level.EQUAL_SEEN | Level.STARRED | Level.PENDING | Level.TARGET;

/** Whether `for` may begin a clause of a comprehension: behind the only element of the brackets. */
function mayIterate(level: number): boolean {
  if ((level & NO_CLAUSES) !== 0) return false;
  if ((level & Level.CLAUSE) === 0 && (level & Level.COMMA_SEEN) !== 0) return false;
  switch (level & Level.KIND) {
    case Level.CALL:
    case Level.GROUP:
    case Level.LIST:
      return true;
    case Level.BRACE:
      return (level & (Level.DICT | Level.KEYED)) !== Level.DICT;
    default:
      return false;
  }
}
