/** The tokens of a statement from its first expression on. */
import { Kind } from "../../../syntax/kinds.ts";
import { nameKind } from "../../../tokenize/keywords.ts";
import { Bracket } from "../bracket.ts";
import * as Before from "./before.ts";
import { closeBracket, openBracket } from "./brackets.ts";
import * as CodeClass from "./code-class.ts";
import { codeClasses, nameCodes } from "./code-classes.ts";
import { readKeyword } from "./keywords.ts";
import * as Level from "./level.ts";
import { breakLine } from "./line-breaks.ts";
import { readNumber } from "./numbers.ts";
import { readOperator, readSign, readStar } from "./operators.ts";
import { readColon, readComma, readEqual } from "./punctuation.ts";
import { BREAK, endsOperand, type Reader, takesOperand } from "./reader.ts";
import { readString } from "./strings.ts";

const LF = 10;
const SPACE = 32;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const LPAR = 40;
const RPAR = 41;
const DOT = 46;

/** Reads on from `from` to the end of the statement or the colon of its header; returns where that is, or -1. */
export function readExpression(r: Reader, from: number): number {
  const { codes } = r;
  let end = from;
  for (;;) {
    let at = end;
    let code = codes[at]!;
    let gap = 0;
    if (code === SPACE) {
      gap = 1;
      code = codes[++at]!;
    } else if (code === LF) {
      if (r.depth === 0) return end;
      at = breakLine(r, end);
      if (at === -1) return -1;
      gap = BREAK;
      code = codes[at]!;
    }
    switch (codeClasses[code]) {
      case CodeClass.NAME: {
        let last = at + 1;
        while (nameCodes[codes[last]!] === 1) last++;
        const next = codes[last]!;
        if (next === DOUBLE_QUOTE || next === SINGLE_QUOTE) {
          end = readString(r, at, last, gap);
          break;
        }
        const kind = nameKind(codes, at, last);
        if (kind === Kind.NAME || kind >= Kind.KW_NONE) {
          if (!takesOperand(r, gap) || !mayName(r)) return -1;
          r.before = Before.NAME;
          end = next === DOT ? readAttributes(r, last) : last;
        } else end = readKeyword(r, kind, last, gap);
        break;
      }
      case CodeClass.DOT:
        end = mayTrail(r.before) ? readTrailer(r, at, gap) : readEllipsis(r, at, gap);
        break;
      case CodeClass.COMMA:
        end = gap === 0 ? readComma(r, at) : -1;
        break;
      case CodeClass.OPENING:
        end = openBracket(r, at, code, gap);
        break;
      case CodeClass.CLOSING:
        end = closeBracket(r, at, code, gap);
        break;
      case CodeClass.EQUAL:
        end = readEqual(r, at, gap);
        break;
      case CodeClass.QUOTE:
        end = readString(r, at, at, gap);
        break;
      case CodeClass.DIGIT:
        end = readNumber(r, at, gap);
        break;
      case CodeClass.COLON:
        if (r.depth === 0 && r.isHeader) return gap === 0 ? at : -1;
        end = readColon(r, at, gap);
        break;
      case CodeClass.SIGN:
        end = readSign(r, at, code, gap);
        break;
      case CodeClass.STAR:
        end = readStar(r, at, code, gap);
        break;
      case CodeClass.OPERATOR:
        end = readOperator(r, at, code, gap);
        break;
      default:
        return code === SPACE && r.depth === 0 ? end : -1;
    }
    if (end === -1) return -1;
  }
}

/** Whether the tokens so far end a statement. */
export function isComplete(r: Reader): boolean {
  return r.before >= Before.NAME && (r.level & (Level.PENDING | Level.TARGET)) === 0;
}

/** Whether a name may come: no parameter follows `**`, and nothing a header's brackets. */
function mayName(r: Reader): boolean {
  const { level } = r;
  if ((level & (Level.DONE | Level.HEAD)) === 0) return true;
  return (level & Level.DONE) === 0 && ((level & Level.LAST) === 0 || r.before !== Before.COMMA);
}

/** Attributes, each with its dot, from the dot at `from` on. */
function readAttributes(r: Reader, from: number): number {
  const { codes } = r;
  if (r.isSlice || (r.level & Level.NO_VALUE) !== 0) return -1;
  r.isSimple = false;
  let end = from;
  do {
    const start = end + 1;
    if (codeClasses[codes[start]!] !== CodeClass.NAME) return -1;
    end = start + 1;
    while (nameCodes[codes[end]!] === 1) end++;
    const kind = nameKind(codes, start, end);
    if (kind !== Kind.NAME && kind < Kind.KW_NONE) return -1;
  } while (codes[end] === DOT);
  const next = codes[end]!;
  return next === DOUBLE_QUOTE || next === SINGLE_QUOTE ? -1 : end;
}

function readTrailer(r: Reader, at: number, gap: number): number {
  if (r.before === Before.SPLIT_CLOSING) return gap === 0 ? readSplitTrailer(r, at) : -1;
  const isAfterBracket = r.before === Before.CLOSING;
  if ((gap !== 0 && !(gap === BREAK && isAfterBracket)) || r.before === Before.NUMBER) return -1;
  if (isAfterBracket && r.depth === r.split.base) r.split.noteDot(gap === BREAK);
  r.before = Before.NAME;
  return readAttributes(r, at);
}

function mayTrail(before: number): boolean {
  return endsOperand(before) || before === Before.SPLIT_CLOSING;
}

/** Attributes of a bracket that is split, the last of which may be called; nothing else may follow. */
function readSplitTrailer(r: Reader, at: number): number {
  const { codes, split } = r;
  if (!split.noteTrailer()) return -1;
  const end = readAttributes(r, at);
  if (end === -1 || codes[end] !== LPAR) return end;
  if (codes[end + 1] === RPAR) return end + 2;
  if (!split.mustSplitBefore(end + 1) || !r.open(Level.CALL, Bracket.OTHER)) return -1;
  return end + 1;
}

function readEllipsis(r: Reader, at: number, gap: number): number {
  const { codes } = r;
  if (codes[at + 1] !== DOT || codes[at + 2] !== DOT || codes[at + 3] === DOT) return -1;
  if (!takesOperand(r, gap) || r.before === Before.UNARY || r.isSlice || (r.level & Level.NO_VALUE) !== 0)
    return -1;
  r.noteOperator(gap);
  r.before = Before.ELLIPSIS;
  return at + 3;
}
