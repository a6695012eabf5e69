/** Brackets whose content stands on lines of its own, as splits leave them. */
import { Kind } from "../../syntax/kinds.ts";

/** What a bracket whose content is split is part of. */
export const Bracket = {
  /** None that is known to stay as it is. */
  OTHER: 0,
  /** A call, the bases of a class. */
  CALL: 1,
  /** The parameters of a function. */
  PARAMETERS: 2,
  /** The names of an import. */
  NAMES: 3,
  /** A list, set or dictionary. */
  DISPLAY: 4,
  /** Parentheses that are a tuple if there are two elements. */
  TUPLE: 5,
} as const;

const INDENT_WIDTH = 4;
const DEEPEST = 16;
const SPACE = 32;
const LF = 10;

/**
 * The layout of one statement over several lines, while its tokens are read. It is the layout that splits make (Black:
 * left_hand_split for functions; right_hand_split at the last brackets, then delimiter_split of their content at
 * commas): an opening bracket ends a line; its content is one line, where head, content and tail together would be too
 * long, or each element has lines of its own that end with a comma; the closing bracket begins a line, and at most a
 * comma, colon or return type follows it. A line that ends with an opening bracket has no delimiters outside brackets,
 * so that no other split comes first.
 */
export class OpenBrackets {
  count = 0;
  /** Offset and indentation of the current physical line. */
  lineStart = 0;
  indent = 0;
  /** Whether the current element has no delimiter and no second `=`, so that the bracket at its end may be split. */
  isPlain = true;
  /** Whether the last token closed a bracket on this list. */
  hasClosed = false;
  /** Bracket depth of the elements that stand on lines of their own; 0 for the statement itself. */
  base = 0;

  readonly #lineLength: number;
  readonly #indents = new Int32Array(DEEPEST);
  readonly #kinds = new Uint8Array(DEEPEST);
  readonly #depths = new Uint8Array(DEEPEST);
  readonly #headWidths = new Int32Array(DEEPEST);
  /** Commas at the ends of lines but the last. */
  readonly #breaks = new Int32Array(DEEPEST);
  readonly #hasInnerComma = new Uint8Array(DEEPEST);
  readonly #isNested = new Uint8Array(DEEPEST);
  readonly #beginsWithParenthesis = new Uint8Array(DEEPEST);
  /** Width of head and content of a bracket that closed on this line, and where that did; -1 for none. */
  #joinedWidth = -1;
  #closedAt = 0;

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
    this.#joinedWidth = -1;
  }

  /** Whether the physical line may end at `end`: it fits, and what was split on it had to be. */
  mayEndLine(end: number): boolean {
    if (end - this.lineStart > this.#lineLength) return false;
    if (this.#joinedWidth === -1) return true;
    const fits = this.#joinedWidth + end - this.#closedAt <= this.#lineLength;
    this.#joinedWidth = -1;
    return !fits;
  }

  /** Takes note of a comma with something behind it on the same line. */
  noteInnerComma(depth: number): void {
    if (this.count > 0 && depth === this.base) this.#hasInnerComma[this.count - 1] = 1;
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
    if (depth !== this.base + 1 || this.count === DEEPEST) return false;
    if (!this.#breaksLine(codes, end, start, indent)) return false;
    const at = this.count++;
    if (at > 0) this.#isNested[at - 1] = 1;
    this.#indents[at] = this.indent;
    this.#kinds[at] = bracket;
    this.#depths[at] = depth;
    this.#headWidths[at] = end - this.lineStart;
    this.#breaks[at] = 0;
    this.#hasInnerComma[at] = 0;
    this.#isNested[at] = 0;
    this.#beginsWithParenthesis[at] = isParenthesis ? 1 : 0;
    this.base = depth;
    this.#startLine(start, indent);
    return true;
  }

  /** The token at `start` begins a line after the comma that ends at `end`; false where it should not. */
  next(codes: Uint8Array, end: number, start: number, depth: number): boolean {
    if (this.count === 0 || depth !== this.base) return false;
    const at = this.count - 1;
    const indent = this.#indents[at]! + INDENT_WIDTH;
    if (!this.#breaksLine(codes, end, start, indent)) return false;
    this.#breaks[at]!++;
    this.#startLine(start, indent);
    return true;
  }

  /** The closing bracket at `start` begins a line, after a comma or not; false where it should not. */
  close(codes: Uint8Array, end: number, start: number, depth: number, afterComma: boolean): boolean {
    if (this.count === 0 || depth !== this.base) return false;
    const at = this.count - 1;
    if (afterComma ? !this.#isOneEach(at) : !this.#isOneLine(at)) return false;
    const width = this.#headWidths[at]! + end - this.lineStart - this.indent;
    const indent = this.#indents[at]!;
    if (!this.#breaksLine(codes, end, start, indent)) return false;
    if (!afterComma) {
      this.#joinedWidth = width;
      this.#closedAt = start;
    }
    this.count = at;
    this.base = at === 0 ? 0 : this.#depths[at - 1]!;
    this.#startLine(start, indent);
    this.hasClosed = true;
    return true;
  }

  /** Each element on lines of its own, with a comma at the end (Black: magic trailing comma). */
  #isOneEach(at: number): boolean {
    if (this.#hasInnerComma[at] === 1) return false;
    return this.#kinds[at] !== Bracket.TUPLE || this.#breaks[at]! > 0;
  }

  /** All content on one line, which stays one: no list of several elements, no parameter that is given a comma. */
  #isOneLine(at: number): boolean {
    if (this.#breaks[at]! > 0 || this.#isNested[at] === 1) return false;
    switch (this.#kinds[at]) {
      case Bracket.CALL:
        return true;
      case Bracket.PARAMETERS:
        return this.#hasInnerComma[at] === 1;
      case Bracket.DISPLAY:
        return this.#hasInnerComma[at] === 0 && this.#beginsWithParenthesis[at] === 0;
      default:
        return false;
    }
  }

  #breaksLine(codes: Uint8Array, end: number, start: number, indent: number): boolean {
    if (start - end !== indent + 1 || codes[end] !== LF) return false;
    for (let at = end + 1; at < start; at++) if (codes[at] !== SPACE) return false;
    return this.mayEndLine(end);
  }

  #startLine(start: number, indent: number): void {
    this.lineStart = start - indent;
    this.indent = indent;
    this.isPlain = true;
    this.hasClosed = false;
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
    case Kind.KW_FROM:
    case Kind.KW_CLASS:
    case Kind.KW_DEF:
    case Kind.AT:
      return true;
    default:
      return false;
  }
}
