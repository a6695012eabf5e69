/** Lambdas whose parameters have names, numbers or nothing as their defaults. */
import * as Before from "./before.ts";
import * as CodeClass from "./code-class.ts";
import { codeClasses } from "./code-classes.ts";
import * as Level from "./level.ts";
import { readName } from "./names.ts";
import { skipDigits } from "./numbers.ts";
import { type Reader, takesOperand } from "./reader.ts";

const SPACE = 32;
const STAR = 42;
const COMMA = 44;
const COLON = 58;
const EQUAL_SIGN = 61;

/** Flags of places that take no lambda, or where what follows it may not be its body's. */
const NO_LAMBDA =
  Level.TARGET | Level.ONLY_EXPR | Level.STARRED | Level.PENDING | Level.CLAUSE | Level.NO_VALUE;

/** `lambda` up to and with its colon; the body is read as what follows. */
export function readLambda(r: Reader, from: number, gap: number): number {
  const { before, level } = r;
  if (!takesOperand(r, gap) || (level & NO_LAMBDA) !== 0) return -1;
  const kind = level & Level.KIND;
  if (kind === Level.SUBSCRIPT || (kind === Level.STATEMENT && r.isHeader)) return -1;
  if (before !== Before.OPENING && before !== Before.COMMA) {
    if (before !== Before.EQUAL && before !== Before.ARGUMENT_EQUAL) {
      if (before !== Before.COLON || kind !== Level.BRACE) return -1;
    }
  }
  const colon = readParameters(r, from);
  if (colon === -1) return -1;
  // No `=` and no `for` may follow the body, and no colon that would make it a key.
  r.level = level | Level.EQUAL_SEEN;
  if (kind === Level.STATEMENT) r.level |= Level.NO_EQUAL | Level.NO_COLON | Level.NO_AUGMENT;
  r.isSimple = false;
  r.before = Before.KEYWORD;
  if (r.depth === r.split.base) r.split.noteLambda();
  return colon + 1;
}

/** Returns where the colon behind the parameters is. */
function readParameters(r: Reader, from: number): number {
  const { codes } = r;
  if (codes[from] === COLON) return from;
  let end = from;
  let mayGoOn = true;
  for (;;) {
    if (codes[end] !== SPACE || !mayGoOn) return -1;
    end++;
    if (codes[end] === STAR) {
      const isDouble = codes[end + 1] === STAR;
      // A second star would be wrong, and nothing may follow two of them.
      mayGoOn = false;
      end += isDouble ? 2 : 1;
      end = readName(r, end);
    } else end = readDefault(r, readName(r, end));
    if (end === -1) return -1;
    if (codes[end] === COLON) return end;
    if (codes[end] !== COMMA) return -1;
    end++;
  }
}

/** The default behind a name, if there is one; passes the failure of what is before on. */
function readDefault(r: Reader, end: number): number {
  const { codes } = r;
  if (end === -1 || codes[end] !== EQUAL_SIGN) return end;
  const at = end + 1;
  return codeClasses[codes[at]!] === CodeClass.DIGIT ? skipDigits(codes, at) : readName(r, at);
}
