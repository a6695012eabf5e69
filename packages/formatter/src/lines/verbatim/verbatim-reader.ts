/**
 * Finds the statements that need no work. Short-cuts everything that Black does with a line (parsing, `LineGenerator`'s
 * visitors, `whitespace`, `normalize_invisible_parens`, `transform_line`) where the characters alone show that the
 * statement is valid and that the result is its own text: it fits, or is split as `OpenBrackets` describes; its spaces
 * are due, its literals are normalised, and it has no parentheses that a rule could remove. What the rules here do not
 * know for sure goes the long way. Holds for modes without preview features.
 */
import { Kind } from "../../syntax/kinds.ts";
import { nameKind } from "../../tokenize/keywords.ts";
import type { StatementReader } from "../../tokenize/statement-reader.ts";
import { Bracket } from "./bracket.ts";
import { docstringEnd, isNormalDocstring } from "./docstring.ts";
import { maySplit } from "./open-brackets.ts";
import * as Before from "./reader/before.ts";
import * as CodeClass from "./reader/code-class.ts";
import { codeClasses, nameCodes } from "./reader/code-classes.ts";
import { isComplete, readExpression } from "./reader/expression.ts";
import { readImportFrom, readImportName } from "./reader/imports.ts";
import { readAwait } from "./reader/keywords.ts";
import * as Level from "./reader/level.ts";
import { readDottedName, readName } from "./reader/names.ts";
import { Reader } from "./reader/reader.ts";
import { isNormalTrailingComment } from "./trailing-comment.ts";

const INDENT_WIDTH = 4;
const LF = 10;
const SPACE = 32;
const DOUBLE_QUOTE = 34;
const HASH = 35;
const SINGLE_QUOTE = 39;
const LPAR = 40;
const RPAR = 41;
const DOT = 46;
const COLON = 58;
const AT = 64;
const BACKSLASH = 92;

const NO_ASSIGNMENT = Level.NO_EQUAL | Level.NO_COLON | Level.NO_AUGMENT;

export class VerbatimReader implements StatementReader {
  keyword = 0;
  keywordStart = 0;
  keywordEnd = 0;
  restStart = 0;
  restEnd = 0;
  colon = -1;
  newline = 0;
  lineBreaks = 0;
  features = 0;

  readonly #lineLength: number;
  readonly #keepsSplits: boolean;
  readonly #r: Reader;

  /**
   * @param keepsSplits whether trailing commas keep elements on lines of their own, so that lines may be split already
   */
  constructor(lineLength: number, keepsSplits: boolean) {
    this.#lineLength = lineLength;
    this.#keepsSplits = keepsSplits;
    this.#r = new Reader(lineLength);
  }

  begin(source: string, codes: Uint8Array): void {
    this.#r.source = source;
    this.#r.codes = codes;
  }

  read(start: number, depth: number): boolean {
    const r = this.#r;
    const { codes } = r;
    r.reset(start);
    const { lineStart, indent } = r.split;
    if (indent !== INDENT_WIDTH * depth || (lineStart > 0 && codes[lineStart - 1] !== LF)) return false;
    this.keyword = Kind.NAME;
    this.keywordStart = start;
    this.keywordEnd = start;
    this.restStart = start;
    this.colon = -1;
    const code = codes[start]!;
    if (codeClasses[code] === CodeClass.NAME) return this.#readStatement(start);
    if (code === DOUBLE_QUOTE) return this.#readDocstring(start);
    return code === AT && this.#readDecorator(start);
  }

  #readStatement(start: number): boolean {
    const r = this.#r;
    const { codes } = r;
    let end = start + 1;
    while (nameCodes[codes[end]!] === 1) end++;
    const kind = nameKind(codes, start, end);
    r.canSplit = this.#keepsSplits && maySplit(kind);
    r.operandStart = end + 1;
    if (kind !== Kind.NAME) return this.#readKeyworded(kind, end);
    const next = codes[end]!;
    if (next === DOUBLE_QUOTE || next === SINGLE_QUOTE) return false;
    r.before = Before.NAME;
    return this.#endStatement(readExpression(r, end));
  }

  #readKeyworded(kind: number, end: number): boolean {
    const r = this.#r;
    switch (kind) {
      case Kind.KW_RETURN:
        r.level = NO_ASSIGNMENT;
        r.split.beginValue();
        return this.#isBare(end) ? this.#endLine(end) : this.#endStatement(readExpression(r, end));
      case Kind.KW_RAISE:
        r.level = NO_ASSIGNMENT | Level.NO_COMMA | Level.MAY_FROM;
        // Parentheses around its value stay.
        r.operandStart = -1;
        return this.#isBare(end) ? this.#endLine(end) : this.#endStatement(readExpression(r, end));
      case Kind.KW_ASSERT:
        r.level = NO_ASSIGNMENT | Level.ONE_COMMA;
        r.split.beginValue();
        return this.#endStatement(readExpression(r, end));
      case Kind.KW_DEL:
        r.level = NO_ASSIGNMENT | Level.ONLY_EXPR;
        return this.#endStatement(readExpression(r, end));
      case Kind.KW_YIELD:
        return this.#readYield(end);
      case Kind.AWAIT:
        return this.#readAwait(end);
      case Kind.ASYNC:
        return this.#readAsync(end);
      case Kind.KW_PASS:
      case Kind.KW_BREAK:
      case Kind.KW_CONTINUE:
        return this.#endLine(end);
      case Kind.KW_NONE:
      case Kind.KW_TRUE:
      case Kind.KW_FALSE:
        r.before = Before.NAME;
        return this.#endStatement(readExpression(r, end));
      case Kind.KW_IMPORT:
        this.#setKeyword(kind, end);
        return this.#endImport(readImportName(r, end));
      case Kind.KW_FROM:
        this.#setKeyword(kind, end);
        return this.#endImport(readImportFrom(r, end));
      default:
        this.#setKeyword(kind, end);
        return this.#readHeader(kind, end);
    }
  }

  #readAwait(keywordEnd: number): boolean {
    const r = this.#r;
    r.level = NO_ASSIGNMENT;
    const end = readAwait(r, keywordEnd, 1);
    return end !== -1 && this.#endStatement(readExpression(r, end));
  }

  /** Parentheses around the value are no optional ones: they stay. */
  #readYield(end: number): boolean {
    const r = this.#r;
    r.level = NO_ASSIGNMENT;
    r.operandStart = -1;
    if (this.#isBare(end)) return this.#endLine(end);
    if (!r.source.startsWith(" from ", end)) return this.#endStatement(readExpression(r, end));
    r.level |= Level.NO_COMMA;
    return this.#endStatement(readExpression(r, end + " from".length));
  }

  #readAsync(asyncEnd: number): boolean {
    const r = this.#r;
    const { codes } = r;
    if (codes[asyncEnd] !== SPACE) return false;
    const start = asyncEnd + 1;
    let end = start;
    while (nameCodes[codes[end]!] === 1) end++;
    const kind = nameKind(codes, start, end);
    if (kind !== Kind.KW_DEF && kind !== Kind.KW_WITH && kind !== Kind.KW_FOR) return false;
    r.canSplit = this.#keepsSplits && maySplit(kind);
    r.operandStart = end + 1;
    this.keywordStart = start;
    this.#setKeyword(kind, end);
    return this.#readHeader(kind, end);
  }

  #setKeyword(kind: number, end: number): void {
    this.keyword = kind;
    this.keywordEnd = end;
    this.restStart = end + 1;
  }

  #readHeader(kind: number, end: number): boolean {
    const r = this.#r;
    r.isHeader = true;
    switch (kind) {
      case Kind.KW_IF:
      case Kind.KW_ELIF:
      case Kind.KW_WHILE:
        r.level = NO_ASSIGNMENT | Level.NO_COMMA;
        r.split.beginValue();
        return this.#endHeader(readExpression(r, end));
      case Kind.KW_FOR:
        r.level = NO_ASSIGNMENT | Level.TARGET;
        r.sawFor = true;
        return this.#endHeader(readExpression(r, end));
      case Kind.KW_WITH:
        r.level = NO_ASSIGNMENT | Level.MAY_AS | Level.ITEMS;
        // Parentheses around it have rules of their own.
        r.operandStart = -1;
        return this.#endHeader(readExpression(r, end));
      case Kind.KW_EXCEPT:
        if (r.codes[end] === COLON) return this.#endBlockLine(end);
        r.level = NO_ASSIGNMENT | Level.MAY_AS | Level.NO_COMMA;
        return this.#endHeader(readExpression(r, end));
      case Kind.KW_ELSE:
      case Kind.KW_TRY:
      case Kind.KW_FINALLY:
        return r.codes[end] === COLON && this.#endBlockLine(end);
      case Kind.KW_DEF:
        return this.#readFunction(end);
      case Kind.KW_CLASS:
        return this.#readClass(end);
      default:
        return false;
    }
  }

  #readFunction(keywordEnd: number): boolean {
    const r = this.#r;
    const end = r.codes[keywordEnd] === SPACE ? readName(r, keywordEnd + 1) : -1;
    if (end === -1 || r.codes[end] !== LPAR) return false;
    r.level = Level.DONE;
    r.open(Level.PARAMETERS | Level.HEAD, Bracket.PARAMETERS);
    return this.#endHeader(readExpression(r, end + 1));
  }

  #readClass(keywordEnd: number): boolean {
    const r = this.#r;
    const end = r.codes[keywordEnd] === SPACE ? readName(r, keywordEnd + 1) : -1;
    if (end === -1) return false;
    if (r.codes[end] === COLON) return this.#endBlockLine(end);
    // Parentheses without bases go.
    if (r.codes[end] !== LPAR || r.codes[end + 1] === RPAR) return false;
    r.level = Level.DONE | Level.NO_AUGMENT;
    r.open(Level.CALL, Bracket.CALL);
    return this.#endHeader(readExpression(r, end + 1));
  }

  /** A dotted name, perhaps called at its end. */
  #readDecorator(start: number): boolean {
    const r = this.#r;
    r.canSplit = this.#keepsSplits;
    this.#setKeyword(Kind.AT, start + 1);
    this.restStart = start + 1;
    const end = readDottedName(r, start + 1);
    if (end === -1) return false;
    if (r.codes[end] !== LPAR) return this.#endLine(end);
    r.level = Level.DONE | Level.NO_AUGMENT;
    r.open(Level.CALL, Bracket.CALL);
    return this.#endStatement(readExpression(r, end + 1));
  }

  #readDocstring(start: number): boolean {
    const { source } = this.#r;
    const end = docstringEnd(source, start);
    if (end === -1 || source.charCodeAt(end) !== LF) return false;
    if (!isNormalDocstring(source, start, end, this.#lineLength)) return false;
    this.keyword = Kind.STRING;
    this.keywordEnd = end;
    this.restStart = end;
    this.restEnd = end;
    this.newline = end;
    this.features = 0;
    this.lineBreaks = 0;
    for (let at = source.indexOf("\n", start); at < end; at = source.indexOf("\n", at + 1)) this.lineBreaks++;
    return true;
  }

  /** Whether nothing but a comment follows on the line. */
  #isBare(end: number): boolean {
    const { codes } = this.#r;
    return codes[end] === LF || (codes[end] === SPACE && codes[end + 1] === SPACE);
  }

  #endImport(end: number): boolean {
    return end !== -1 && this.#endLine(end);
  }

  #endStatement(end: number): boolean {
    return end !== -1 && isComplete(this.#r) && this.#endLine(end);
  }

  #endHeader(colon: number): boolean {
    const r = this.#r;
    return colon !== -1 && r.codes[colon] === COLON && isComplete(r) && this.#endBlockLine(colon);
  }

  #endBlockLine(colon: number): boolean {
    if (!this.#endLine(colon + 1) || this.#mayBodyJoin()) return false;
    this.colon = colon;
    this.restEnd = colon;
    return true;
  }

  /** The end of the statement's line: what was read ends at `end`, and at most a comment follows. */
  #endLine(end: number): boolean {
    const r = this.#r;
    let newline = end;
    if (r.codes[end] !== LF) {
      newline = r.source.indexOf("\n", end);
      if (r.hasSplit || !isNormalTrailingComment(r.source, end, newline)) return false;
    }
    if (!r.split.mayEndLine(newline)) return false;
    this.newline = newline;
    this.restEnd = end;
    this.features = r.features;
    this.lineBreaks = r.lineBreaks;
    return true;
  }

  /** Whether the body after the header may be dots alone, which may go on the header's line. */
  #mayBodyJoin(): boolean {
    const { codes, source } = this.#r;
    let at = this.newline;
    for (;;) {
      const code = codes[at]!;
      if (code === HASH) at = source.indexOf("\n", at);
      else if (code === SPACE || (code >= 9 && code <= 13)) at++;
      else return code === DOT || code === BACKSLASH;
    }
  }
}

let last: VerbatimReader | undefined;
let lastLineLength = 0;
let lastKeepsSplits = false;

let isOn = true;

/** Switches the short cut off, or on again: everything goes the long way, with the same result. */
export function switchVerbatim(on: boolean): void {
  isOn = on;
}

/**
 * A reader for these options: the last one again where they are the same, because to make one takes many arrays;
 * `undefined` where the short cut is switched off.
 */
export function verbatimReaderFor(lineLength: number, keepsSplits: boolean): VerbatimReader | undefined {
  if (!isOn) return undefined;
  if (last === undefined || lastLineLength !== lineLength || lastKeepsSplits !== keepsSplits) {
    last = new VerbatimReader(lineLength, keepsSplits);
    lastLineLength = lineLength;
    lastKeepsSplits = keepsSplits;
  }
  return last;
}
