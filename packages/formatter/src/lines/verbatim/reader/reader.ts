import { NON_ASCII_CODE } from "../../../tokenize/source-codes.ts";
import { Bracket } from "../bracket.ts";
import { OpenBrackets } from "../open-brackets.ts";
import * as Before from "./before.ts";
import * as Level from "./level.ts";

/** The gap before a token that begins a line; otherwise a gap is counted in spaces. */
export const BREAK = 2;

const SPACE = 32;

/** Brackets that may be open at once. */
const DEEPEST = 32;

/**
 * The state of reading one statement by its characters. The rules are functions over it, one file for each topic; a
 * rule returns where what it has read ends, or -1 where the statement is not known to be valid and to stay as it is.
 */
export class Reader {
  source = "";
  codes: Uint8Array = new Uint8Array(0);
  /** `Before` value of the last token. */
  before = 0;
  /** `Level` kind and flags of the innermost bracket. */
  level = 0;
  depth = 0;
  /** Where the first operand after the keyword starts. */
  operandStart = 0;
  /** Whether the statement is the header of a block. */
  isHeader = false;
  /** Whether the innermost bracket holds a slice, and whether nothing but names, numbers and signs so far. */
  isSlice = false;
  isSimple = false;
  /** Brackets opened so far, in the statement and up to its optional parentheses. */
  brackets = 0;
  bracketsBefore = 0;
  /** Whether those parentheses may hold a value that cannot be split. */
  mayBeLone = false;
  /** Whether the statement has a `for`, an `=` outside brackets, a line break. */
  sawFor = false;
  sawEqual = false;
  hasSplit = false;
  /** Whether line breaks may stand within brackets. */
  canSplit = false;
  /** `Bracket` value of the bracket opened last. */
  bracket: number = Bracket.OTHER;
  /** Whether the string that is read holds other characters than ASCII. */
  isWide = false;
  lineBreaks = 0;
  features = 0;
  readonly split: OpenBrackets;
  readonly #levels = new Int32Array(DEEPEST + 1);

  constructor(lineLength: number) {
    this.split = new OpenBrackets(lineLength);
  }

  /** Begins a statement whose first token is at `start`. */
  reset(start: number): void {
    this.before = Before.KEYWORD;
    this.level = Level.STATEMENT;
    this.depth = 0;
    this.operandStart = start;
    this.isHeader = false;
    this.isSlice = false;
    this.isSimple = false;
    this.sawFor = false;
    this.brackets = 0;
    this.sawEqual = false;
    this.hasSplit = false;
    this.canSplit = false;
    this.lineBreaks = 0;
    this.features = 0;
    this.split.begin(this.codes, start);
  }

  /** Opens a bracket; false where there are too many. */
  open(level: number, bracket: number): boolean {
    if (this.depth === DEEPEST) return false;
    this.#levels[this.depth++] = this.level;
    this.level = level;
    this.bracket = bracket;
    this.before = Before.OPENING;
    this.isSimple = true;
    this.brackets++;
    return true;
  }

  close(): void {
    this.level = this.#levels[--this.depth]!;
    this.isSimple = false;
    this.isSlice = false;
  }

  /** Takes note of an operator that is no delimiter, keyword or the like: the bracket at the end of its line may not be split. */
  noteOperator(gap: number): void {
    this.isSimple = false;
    if (gap !== BREAK && this.depth === this.split.base) this.split.isPlain = false;
  }

  /** Takes note of a delimiter of that `Priority`. */
  noteDelimiter(gap: number, priority: number): void {
    this.isSimple = false;
    if (this.depth !== this.split.base) return;
    if (this.depth === 0) {
      this.split.noteOuterDelimiter(priority);
      return;
    }
    if (gap !== BREAK) this.split.isPlain = false;
    this.split.noteDelimiter(priority, gap === BREAK);
  }
}

/** Whether an operand may come after a gap of that many spaces, or at the beginning of a line. */
export function takesOperand(r: Reader, gap: number): boolean {
  const { before } = r;
  if (before > Before.IN) return false;
  return gap === (before <= Before.PARAMETER_STAR ? 0 : 1) || gap === BREAK;
}

/** Whether an operator, trailer or end may come. */
export function endsOperand(before: number): boolean {
  return before >= Before.NAME && before <= Before.STRING;
}

/** Whether a string may hold the character as it is. */
export function isText(r: Reader, code: number): boolean {
  if (code >= SPACE && code < 127) return true;
  if (code === NON_ASCII_CODE) r.isWide = true;
  return code === NON_ASCII_CODE;
}
