/** Brackets whose content stands on lines of its own, as splits leave them. */
import { Kind } from "../../syntax/kinds.ts";
import { Priority } from "../delimiters.ts";
import { Bracket, Content } from "./bracket.ts";

const INDENT_WIDTH = 4;
const DEEPEST = 16;
const SPACE = 32;
const LF = 10;
const DOT = 46;
/** Higher than the priority of any delimiter. */
const UNKNOWN = 99;

/**
 * The layout of one statement over several lines, while its tokens are read. It is the layout that splits make (Black:
 * left_hand_split for functions; right_hand_split at the last brackets, then delimiter_split of their content): an
 * opening bracket ends a line; its content is one line, or each element has lines of its own that end with a comma; a
 * line within brackets that is too long even so is broken before each of its delimiters of the highest priority, or at
 * its last brackets where it has no delimiters; the closing bracket begins a line, and at most a comma, colon or return
 * type follows it. What is split is too long when joined, or a magic trailing comma asks for it.
 */
export class OpenBrackets {
  count = 0;
  /** Offset and indentation of the current physical line. */
  lineStart = 0;
  indent = 0;
  /** Whether the current line has no delimiter, so that the bracket at its end may be split. */
  isPlain = true;
  /** Whether the last token closed a bracket on this list. */
  hasClosed = false;
  /** Bracket depth of the elements that stand on lines of their own; 0 for the statement itself. */
  base = 0;

  readonly #lineLength: number;
  /** Columns that the physical line has more than characters. */
  #excess = 0;
  /** Characters that the line breaks so far have more than the joined statement. */
  #lost = 0;
  #trailingCommas = 0;
  /** Whether the current line has a bracket that is split; where it starts when joined, and trailing commas before it. */
  #isSplit = false;
  #start = 0;
  #commasBefore = 0;
  /** Width of the parentheses that the joined statement would do without. */
  #optionalWidth = 0;
  /** Attributes of brackets on the current line. */
  #dots = 0;
  /** The highest priority of delimiters outside brackets, how many have that, and whether they are those of a value. */
  #outerPriority = 0;
  #outerDelimiters = 0;
  #isValue = false;
  /** Whether what precedes the optional parentheses leaves a column free. */
  #hasRoom = false;
  /** For each open bracket: the fields above of the line that it is on. */
  readonly #indents = new Int32Array(DEEPEST);
  readonly #starts = new Int32Array(DEEPEST);
  readonly #commas = new Int32Array(DEEPEST);
  readonly #lineDots = new Int32Array(DEEPEST);
  readonly #kinds = new Uint8Array(DEEPEST);
  readonly #depths = new Uint8Array(DEEPEST);
  /** Commas at the ends of lines but the last. */
  readonly #breaks = new Int32Array(DEEPEST);
  readonly #hasInnerComma = new Uint8Array(DEEPEST);
  readonly #isNested = new Uint8Array(DEEPEST);
  readonly #beginsWithParenthesis = new Uint8Array(DEEPEST);
  /** For the current element of each: where it starts, as above. */
  readonly #elementStarts = new Int32Array(DEEPEST);
  readonly #elementCommas = new Int32Array(DEEPEST);
  /** The highest priority of its delimiters, how many have that, how many of these begin a line, how many lines begin. */
  readonly #priorities = new Uint8Array(DEEPEST);
  readonly #delimiters = new Int32Array(DEEPEST);
  readonly #broken = new Int32Array(DEEPEST);
  readonly #elementBreaks = new Int32Array(DEEPEST);

  constructor(lineLength: number) {
    this.#lineLength = lineLength;
  }

  /** Begins the statement whose first token is at `start`. */
  begin(codes: Uint8Array, start: number): void {
    let lineStart = start;
    while (lineStart > 0 && codes[lineStart - 1] === SPACE) lineStart--;
    this.lineStart = lineStart;
    this.indent = start - lineStart;
    this.count = 0;
    this.base = 0;
    this.isPlain = true;
    this.hasClosed = false;
    this.#excess = 0;
    this.#lost = 0;
    this.#trailingCommas = 0;
    this.#isSplit = false;
    this.#start = start;
    this.#commasBefore = 0;
    this.#optionalWidth = 0;
    this.#dots = 0;
    this.#outerPriority = 0;
    this.#isValue = false;
  }

  /** Whether the line may end at `end`: it fits, and what was split on it had to be. */
  mayEndLine(end: number): boolean {
    if (end - this.lineStart + this.#excess > this.#lineLength) return false;
    if (!this.#isSplit) return true;
    this.#isSplit = false;
    return this.#mustSplit(end - this.#optionalWidth, this.#start, this.#commasBefore);
  }

  /** Takes note of a string with that many columns more than characters. */
  noteExcess(columns: number): void {
    this.#excess += columns;
    this.#lost -= columns;
  }

  /** Takes note of a comma with something behind it on the same line. */
  noteInnerComma(depth: number): void {
    if (this.count > 0 && depth === this.base) this.#hasInnerComma[this.count - 1] = 1;
  }

  /** Takes note of a delimiter of the innermost element, which begins a line or not. */
  noteDelimiter(priority: number, isBroken: boolean): void {
    const at = this.count - 1;
    if (at < 0 || priority < this.#priorities[at]!) return;
    if (priority > this.#priorities[at]!) {
      this.#priorities[at] = priority;
      this.#delimiters[at] = 0;
      this.#broken[at] = 0;
    }
    this.#delimiters[at]!++;
    if (isBroken) this.#broken[at]!++;
  }

  /** Takes note of a delimiter outside brackets. */
  noteOuterDelimiter(priority: number): void {
    if (priority < this.#outerPriority) return;
    if (priority > this.#outerPriority) {
      this.#outerPriority = priority;
      this.#outerDelimiters = 0;
    }
    this.#outerDelimiters++;
  }

  /** Takes note of a lambda, whose delimiters are not told from those around it. */
  noteLambda(): void {
    this.isPlain = false;
    this.noteDelimiter(UNKNOWN, false);
  }

  /** Takes note of an attribute of a bracket: a single one on a line is no delimiter to split at. */
  noteDot(isBroken: boolean): void {
    if (!isBroken && this.#dots++ > 0) this.isPlain = false;
    this.noteDelimiter(Priority.DOT, isBroken);
  }

  /** Takes note of an attribute of the bracket that was closed last; false where the statement has others. */
  noteTrailer(): boolean {
    if (this.#dots > 0 || this.#outerPriority > 0) return false;
    this.noteDot(false);
    return true;
  }

  /** Whether the line could not be split at the bracket that ends at `end` instead. */
  mustSplitBefore(end: number): boolean {
    return this.#mustSplit(end, this.#start, this.#commasBefore);
  }

  /** A value begins that may have optional parentheses, as what precedes it has, if need be. */
  beginValue(): void {
    this.isPlain = true;
    this.#dots = 0;
    this.#outerPriority = 0;
    this.#isValue = true;
  }

  /** The token at `start` begins a line after the opening bracket that ends at `end`; false where it should not. */
  open(
    codes: Uint8Array,
    end: number,
    start: number,
    depth: number,
    bracket: number,
    isParenthesis: boolean,
  ): boolean {
    const indent = this.indent + INDENT_WIDTH;
    if (bracket === Bracket.OTHER || !this.isPlain || this.hasClosed) return false;
    if (this.#outerPriority > 0 && this.count === 0 && !this.#maySplitOperand(end)) return false;
    if (depth !== this.base + 1 || this.count === DEEPEST) return false;
    if (!this.#breaksLine(codes, end, start, indent)) return false;
    const at = this.count++;
    if (at > 0) this.#isNested[at - 1] = 1;
    this.#indents[at] = this.indent;
    this.#starts[at] = this.#start;
    this.#commas[at] = this.#commasBefore;
    this.#lineDots[at] = this.#dots;
    if (bracket === Bracket.OPTIONAL) this.#hasRoom = end - this.lineStart + this.#excess < this.#lineLength;
    this.#kinds[at] = bracket;
    this.#depths[at] = depth;
    this.#breaks[at] = 0;
    this.#hasInnerComma[at] = 0;
    this.#isNested[at] = 0;
    this.#beginsWithParenthesis[at] = isParenthesis ? 1 : 0;
    this.base = depth;
    this.#lost += start - end;
    this.#startElement(at, start);
    this.#startLine(start, indent);
    return true;
  }

  /** The token at `start` begins a line after the comma that ends at `end`; false where it should not. */
  next(codes: Uint8Array, end: number, start: number, depth: number): boolean {
    if (this.count === 0 || depth !== this.base) return false;
    const at = this.count - 1;
    const indent = this.#indents[at]! + INDENT_WIDTH;
    if (!this.#breaksLine(codes, end, start, indent) || !this.#mayEndElement(at, end)) return false;
    this.#breaks[at]!++;
    this.#lost += start - end - 1;
    this.#startElement(at, start);
    this.#startLine(start, indent);
    return true;
  }

  /** The delimiter at `start` begins a line after an operand that ends at `end`; false where it should not. */
  breakElement(codes: Uint8Array, end: number, start: number, depth: number): boolean {
    if (this.count === 0 || depth !== this.base) return false;
    const at = this.count - 1;
    const indent = this.#indents[at]! + INDENT_WIDTH;
    if (this.#kinds[at] === Bracket.PARAMETERS || !this.#breaksLine(codes, end, start, indent)) return false;
    this.#elementBreaks[at]!++;
    this.#lost += start - end - (codes[start] === DOT ? 0 : 1);
    this.#startLine(start, indent);
    return true;
  }

  /**
   * The closing bracket at `start` begins a line, after a comma or not; false where it should not.
   * @param content the `Content` before it
   */
  close(
    codes: Uint8Array,
    end: number,
    start: number,
    depth: number,
    afterComma: boolean,
    content: number,
  ): boolean {
    if (this.count === 0 || depth !== this.base) return false;
    const at = this.count - 1;
    const indent = this.#indents[at]!;
    if (!this.#breaksLine(codes, end, start, indent)) return false;
    if (!this.#mayEndElement(at, end)) return false;
    // With attributes behind them the parentheses are no optional ones.
    if (this.#kinds[at] === Bracket.OPTIONAL && codes[start + 1] === DOT) this.#kinds[at] = Bracket.GROUP;
    if (afterComma ? !this.#isOneEach(at) : !this.#isOneElement(at, content)) return false;
    this.#lost += start - end;
    this.count = at;
    this.base = at === 0 ? 0 : this.#depths[at - 1]!;
    this.#startLine(start, indent);
    this.#start = this.#starts[at]!;
    this.#commasBefore = this.#commas[at]!;
    this.#dots = this.#lineDots[at]!;
    if (afterComma) this.#trailingCommas++;
    this.#isSplit = true;
    this.hasClosed = true;
    return true;
  }

  /** Each element on lines of its own, with a comma at the end (Black: magic trailing comma). */
  #isOneEach(at: number): boolean {
    if (this.#hasInnerComma[at] === 1) return false;
    return this.#kinds[at]! < Bracket.GROUP || this.#breaks[at]! > 0;
  }

  /** All content is one element, or one line that stays one: no list of several, no parameter that is given a comma. */
  #isOneElement(at: number, content: number): boolean {
    if (this.#breaks[at]! > 0) return false;
    const isOneLine = this.#elementBreaks[at] === 0 && this.#isNested[at] === 0;
    const hasComma = this.#hasInnerComma[at] === 1;
    switch (this.#kinds[at]) {
      case Bracket.CALL:
        return isOneLine || !hasComma;
      case Bracket.PARAMETERS:
        return isOneLine && hasComma;
      case Bracket.DISPLAY:
        return !hasComma && this.#beginsWithParenthesis[at] === 0;
      case Bracket.GROUP:
        return !hasComma;
      case Bracket.OPTIONAL:
        return !hasComma && this.#keepsParentheses(at, content);
      default:
        return false;
    }
  }

  /**
   * Whether the bracket at the end of a value with delimiters is split, and not parentheses put round it (Black:
   * `can_omit_invisible_parens`): there is one delimiter, and what precedes the bracket fits.
   */
  #maySplitOperand(end: number): boolean {
    return (
      this.#isValue && this.#outerDelimiters === 1 && end - this.lineStart + this.#excess < this.#lineLength
    );
  }

  /**
   * Whether optional parentheses are printed (Black: `can_omit_invisible_parens`): there are several delimiters, or one
   * and no brackets at the ends that might be split instead, or nothing to split at all. A generator has its own.
   */
  #keepsParentheses(at: number, content: number): boolean {
    const priority = this.#priorities[at]!;
    if (priority === UNKNOWN) return false;
    if (priority === Priority.COMPREHENSION) return true;
    this.#optionalWidth = 2;
    if (priority === 0) return content === Content.LONE && this.#hasRoom;
    if (this.#delimiters[at]! > 1) return true;
    return priority !== Priority.DOT && content !== Content.BRACKET && this.#beginsWithParenthesis[at] === 0;
  }

  /** Whether the current element may end at `end`: on one line, or broken at all its delimiters of the highest priority. */
  #mayEndElement(at: number, end: number): boolean {
    const breaks = this.#elementBreaks[at]!;
    if (breaks === 0) return true;
    if (this.#broken[at] !== breaks || this.#delimiters[at] !== breaks) return false;
    if (!this.#mayBreakAt(at, this.#priorities[at]!)) return false;
    return this.#mustSplit(end, this.#elementStarts[at]!, this.#elementCommas[at]!);
  }

  #mayBreakAt(at: number, priority: number): boolean {
    if (priority === Priority.DOT) return this.#delimiters[at]! > 1;
    // Elsewhere there are optional parentheses round a conditional expression, as there are round one within another.
    if (priority !== Priority.TERNARY) return true;
    if (this.#delimiters[at]! > 2) return false;
    return this.#kinds[at]! >= Bracket.GROUP && this.#breaks[at] === 0 && this.#hasInnerComma[at] === 0;
  }

  /** Whether what starts at `start`, when joined, and ends at `end` is too long for a line or has a trailing comma. */
  #mustSplit(end: number, start: number, commasBefore: number): boolean {
    return this.#trailingCommas > commasBefore || this.indent + end - this.#lost - start > this.#lineLength;
  }

  #breaksLine(codes: Uint8Array, end: number, start: number, indent: number): boolean {
    if (start - end !== indent + 1 || codes[end] !== LF) return false;
    for (let at = end + 1; at < start; at++) if (codes[at] !== SPACE) return false;
    return this.mayEndLine(end);
  }

  #startElement(at: number, start: number): void {
    this.#elementStarts[at] = start - this.#lost;
    this.#elementCommas[at] = this.#trailingCommas;
    this.#priorities[at] = 0;
    this.#delimiters[at] = 0;
    this.#broken[at] = 0;
    this.#elementBreaks[at] = 0;
  }

  #startLine(start: number, indent: number): void {
    this.lineStart = start - indent;
    this.#excess = 0;
    this.indent = indent;
    this.isPlain = true;
    this.hasClosed = false;
    this.#dots = 0;
    this.#isSplit = false;
    this.#start = start - this.#lost;
    this.#commasBefore = this.#trailingCommas;
  }
}

/** Whether a statement that begins with the kind may be split at the brackets at its end. */
export function maySplit(kind: number): boolean {
  switch (kind) {
    case Kind.NAME:
    case Kind.KW_RETURN:
    case Kind.KW_RAISE:
    case Kind.KW_YIELD:
    case Kind.AWAIT:
    case Kind.KW_ASSERT:
    case Kind.KW_IF:
    case Kind.KW_ELIF:
    case Kind.KW_WHILE:
    case Kind.KW_FOR:
    case Kind.KW_WITH:
    case Kind.KW_FROM:
    case Kind.KW_CLASS:
    case Kind.KW_DEF:
    case Kind.AT:
      return true;
    default:
      return false;
  }
}
