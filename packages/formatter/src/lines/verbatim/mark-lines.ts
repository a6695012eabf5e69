/**
 * Finds the lines that need no work. Short-cuts everything that Black does with a line (`LineGenerator`'s visitors,
 * `whitespace`, `normalize_invisible_parens`, `transform_line`) where the tokens alone show that the result is the
 * line's own text: it fits, or is split as `OpenBrackets` describes; its spaces are due, its literals are normalised,
 * and it has no parentheses that a rule could remove. What the rules here do not know for sure goes the long way.
 */
import { Kind } from "../../syntax/kinds.ts";
import { PrefixFlag, TextFlag } from "../../syntax/tree.ts";
import { LOST_TEXT, type TokenBuffer } from "../../tokenize/token-buffer.ts";
import { TokenKind } from "../../tokenize/token-kind.ts";
import { isNormalDocstring } from "./docstring.ts";
import {
  isNormalInterpolation,
  isNormalNumber,
  isNormalString,
  isNormalTrailingComment,
} from "./literals.ts";
import { Bracket, maySplit, OpenBrackets } from "./open-brackets.ts";
import { headers, TokenClass, tokenClasses } from "./token-class.ts";

/** What may come after a token, and the space before that. */
const After = {
  /** An operand, close by: after an opening bracket, a sign, the `=` of an argument. */
  TIGHT: 0,
  /** An operand, after one space. */
  SPACED: 1,
  /** An operator, a trailer, or the end. */
  OPERAND: 2,
  /** A name, close by. */
  DOT: 3,
} as const;

/** What the innermost bracket holds so far. */
const Content = {
  /** Names, numbers and signs alone: a colon makes it a slice without spaces (Black: not is_complex_subscript). */
  SIMPLE: 0,
  OTHER: 1,
  SLICE: 2,
} as const;

const DEEPEST = 32;
const LF = 10;
const SPACE = 32;
/** `TokenClass` of each open bracket. */
const openings = new Uint8Array(DEEPEST + 1);

/**
 * Sets `TextFlag.VERBATIM` on the first token of each line that is printed as it stands, provided that its indentation
 * is that of its depth. Holds for modes without preview features.
 *
 * @param keepsSplits whether trailing commas keep elements on lines of their own, so that lines may be split already
 */
export function markVerbatimLines(
  source: string,
  tokens: TokenBuffer,
  lineLength: number,
  keepsSplits: boolean,
): void {
  const { kinds, textFlags, count } = tokens;
  const split = new OpenBrackets(lineLength);
  let at = 0;
  while (at < count) {
    const kind = kinds[at]!;
    if (kind === Kind.INDENT || kind === Kind.DEDENT || kind === Kind.NEWLINE) {
      at++;
      continue;
    }
    const end = verbatimEnd(source, tokens, at, lineLength, split, keepsSplits);
    if (end > 0) {
      textFlags[at]! |= TextFlag.VERBATIM;
      at = end + 1;
    } else {
      at = -end;
      while (at < count && kinds[at] !== Kind.NEWLINE) at++;
    }
  }
}

/** Index of the NEWLINE that ends the line of tokens from `first` on, or negative that of the token that objects. */
function verbatimEnd(
  source: string,
  tokens: TokenBuffer,
  first: number,
  lineLength: number,
  split: OpenBrackets,
  keepsSplits: boolean,
): number {
  const { kinds, starts, ends, textFlags } = tokens;
  const firstKind = kinds[first]!;
  if ((tokens.prefixFlags[first]! & (PrefixFlag.BACKSLASH | LOST_TEXT)) !== 0) return -first;
  if (firstKind === Kind.STRING) {
    const isAlone = kinds[first + 1] === Kind.NEWLINE && starts[first + 1] === ends[first];
    return isAlone && isNormalDocstring(source, starts[first]!, ends[first]!, lineLength)
      ? first + 1
      : -first;
  }
  if (!mayBegin(firstKind)) return -first;
  const isDef = firstKind === Kind.KW_DEF;
  let sawFor = firstKind === Kind.KW_FOR;
  let depth = 0;
  let content: number = Content.OTHER;
  let isAnnotated = false;
  let after: number = After.TIGHT;
  let before: number = TokenClass.NEWLINE;
  let end = starts[first]!;
  const canSplit = keepsSplits && maySplit(firstKind);
  let hasSplit = false;
  let sawBracket = false;
  let sawEqual = false;
  let bracket: number = Bracket.OTHER;
  split.begin(source, end);
  for (let at = first; ; at++) {
    const start = starts[at]!;
    const tokenClass = tokenClasses[kinds[at]!]!;
    /** Spaces due before the token. */
    let gap = after === After.SPACED ? 1 : 0;
    let next: number = After.OPERAND;
    /** The token's last part: strings with fields are several tokens. */
    let last = at;
    switch (tokenClass) {
      case TokenClass.NAME:
        if (after === After.OPERAND || (textFlags[at]! & TextFlag.NON_ASCII) !== 0) return -at;
        break;
      case TokenClass.CLOSING:
        if (depth === 0) return -at;
        gap = before === TokenClass.COMMA ? -1 : 0;
        content = Content.OTHER;
        depth--;
        break;
      case TokenClass.COMMA:
        if (after === After.SPACED || content === Content.SLICE) return -at;
        content = Content.OTHER;
        gap = 0;
        next = After.SPACED;
        if (depth === 0) split.isPlain = false;
        else if (depth === 1) isAnnotated = false;
        break;
      case TokenClass.DOT:
        if (content === Content.SLICE) return -at;
        if (after === After.OPERAND ? before === TokenClass.NUMBER : isUnary(before)) return -at;
        content = Content.OTHER;
        if (before === TokenClass.CLOSING || (after !== After.OPERAND && after !== After.DOT)) {
          if (depth === split.base) split.isPlain = false;
        }
        next = After.DOT;
        break;
      case TokenClass.LPAR:
        if (after === After.OPERAND) {
          if (before !== TokenClass.NAME && before !== TokenClass.CLOSING) return -at;
          // The parentheses of a class without bases go.
          if (firstKind === Kind.KW_CLASS && kinds[at + 1] === Kind.RPAR) return -at;
          bracket = isDef && depth === 0 ? Bracket.PARAMETERS : Bracket.CALL;
        } else {
          const endsLine = source.charCodeAt(ends[at]!) === LF;
          if (endsLine && kinds[at - 1] === Kind.KW_IMPORT) bracket = Bracket.NAMES;
          else if (
            mayHoldParentheses(before, after, depth, sawFor) ||
            (isOpening(before) && source.charCodeAt(end) === LF) ||
            (endsLine && depth === 0 && (before === TokenClass.EQUAL || at === first + 1))
          ) {
            bracket = Bracket.TUPLE;
          } else return -at;
        }
        next = After.TIGHT;
        break;
      case TokenClass.LSQB:
        if (after === After.OPERAND) {
          if (before !== TokenClass.NAME && before !== TokenClass.CLOSING) return -at;
          // Type parameters have colons of their own.
          if (depth === 0 && (isDef || firstKind === Kind.KW_CLASS)) return -at;
          bracket = Bracket.OTHER;
        } else {
          if (after === After.DOT || before === TokenClass.AT) return -at;
          bracket = Bracket.DISPLAY;
        }
        next = After.TIGHT;
        break;
      case TokenClass.LBRACE:
        // Directly behind the `@` of a decorator a list or dictionary is set off, if something follows it.
        if (after > After.SPACED || before === TokenClass.AT) return -at;
        bracket = Bracket.DISPLAY;
        next = After.TIGHT;
        break;
      case TokenClass.STRING: {
        const isAdjacent = after === After.OPERAND && before === TokenClass.STRING;
        if ((after > After.SPACED && !isAdjacent) || content === Content.SLICE) return -at;
        if (isAdjacent) {
          gap = 1;
          if (depth === split.base) split.isPlain = false;
        }
        content = Content.OTHER;
        if (kinds[at] === Kind.STRING) {
          if (!isNormalString(source, start, ends[at]!, textFlags[at]!)) return -at;
          break;
        }
        last = interpolationEnd(kinds, at);
        if (last < 0 || !isNormalInterpolation(source, start, ends[last]!)) return -at;
        break;
      }
      case TokenClass.NUMBER:
        if (after > After.SPACED || !isNormalNumber(source, start, ends[at]!)) return -at;
        break;
      case TokenClass.EQUAL:
        if (after !== After.OPERAND) return -at;
        if (depth === 0 || (isAnnotated && depth === 1)) {
          gap = 1;
          next = After.SPACED;
          if (depth === 0) {
            // Brackets in a target are weighed against those of the value.
            if (sawEqual || sawBracket) split.isPlain = false;
            sawEqual = true;
          }
        } else {
          if (openings[depth] !== TokenClass.LPAR) return -at;
          next = After.TIGHT;
        }
        break;
      case TokenClass.COLON:
        if (after === After.SPACED && (before !== TokenClass.KEYWORD || depth > 0)) return -at;
        gap = 0;
        next = After.SPACED;
        if (depth === 0) {
          if (headers[firstKind] === 1 ? kinds[at + 1] !== Kind.NEWLINE : firstKind !== Kind.NAME) return -at;
          split.isPlain = false;
        } else if (openings[depth] === TokenClass.LSQB) {
          if (content === Content.OTHER) return -at;
          content = Content.SLICE;
          next = After.TIGHT;
        } else if (openings[depth] === TokenClass.LPAR) {
          if (!isDef || depth > 1) return -at;
          isAnnotated = true;
        }
        break;
      case TokenClass.SIGN:
        if (after === After.OPERAND) {
          if (content === Content.SLICE) return -at;
          content = Content.OTHER;
          gap = 1;
          next = After.SPACED;
        } else {
          if (after === After.DOT || isUnary(before)) return -at;
          next = After.TIGHT;
        }
        break;
      case TokenClass.STAR:
        if (content === Content.SLICE) return -at;
        content = Content.OTHER;
        if (after === After.OPERAND) {
          if (kinds[at] === Kind.DOUBLESTAR) return -at;
          gap = 1;
          next = After.SPACED;
        } else if (depth === 0) {
          if (firstKind !== Kind.KW_FROM) return -at;
        } else {
          if (sawFor || !(before === TokenClass.COMMA || isOpening(before))) return -at;
          if (kinds[at] !== Kind.SLASH) next = After.TIGHT;
        }
        break;
      case TokenClass.AT:
        if (at === first) next = After.TIGHT;
        else {
          if (after !== After.OPERAND || content === Content.SLICE) return -at;
          content = Content.OTHER;
          gap = 1;
          next = After.SPACED;
        }
        break;
      case TokenClass.IN:
      case TokenClass.OPERATOR:
      case TokenClass.KEYWORD: {
        const kind = kinds[at]!;
        if (content === Content.SLICE) return -at;
        content = Content.OTHER;
        if (after === After.OPERAND) gap = 1;
        else if (after === After.DOT) {
          if (kind !== Kind.KW_IMPORT) return -at;
          gap = 1;
        } else if (before === TokenClass.COMMA || isUnary(before) || isOpening(before)) {
          if (kind !== Kind.KW_NOT || isUnary(before)) return -at;
        }
        if (kind === Kind.KW_FOR) sawFor = true;
        next = After.SPACED;
        break;
      }
      case TokenClass.NEWLINE:
        if (before === TokenClass.COMMA || !split.mayEndLine(start)) return -at;
        if (start === end) return at;
        return !hasSplit && isNormalTrailingComment(source, end, start) ? at : -at;
      default:
        return -at;
    }
    if (split.hasClosed && !mayFollowSplit(tokenClass, kinds[at]!, depth, firstKind)) return -at;
    if (tokenClass >= TokenClass.SIGN && tokenClass <= TokenClass.IN) {
      if (depth === split.base && at !== first && kinds[at] !== Kind.KW_IMPORT) split.isPlain = false;
      // A decorator with an operator is set off from its `@`.
      if (depth === 0 && firstKind === Kind.AT && at !== first) return -at;
    }
    if (start - end === gap && (gap !== 1 || source.charCodeAt(end) === SPACE)) {
      // A bracket that ends a line is closed at the beginning of one.
      if (tokenClass === TokenClass.CLOSING && depth < split.base) return -at;
      split.hasClosed = false;
      if (before === TokenClass.COMMA) split.noteInnerComma(depth);
    } else {
      if (!canSplit || source.charCodeAt(end) !== LF) return -at;
      if (tokenClass === TokenClass.CLOSING) {
        if (!split.close(source, end, start, depth + 1, before === TokenClass.COMMA)) return -at;
      } else if (before === TokenClass.COMMA) {
        if (!split.next(source, end, start, depth)) return -at;
      } else if (!isOpening(before)) return -at;
      else if (!split.open(source, end, start, depth, bracket, tokenClass === TokenClass.LPAR)) return -at;
      hasSplit = true;
    }
    if (isOpening(tokenClass)) {
      if (content === Content.SLICE || depth === DEEPEST) return -at;
      openings[++depth] = tokenClass;
      content = Content.SIMPLE;
      sawBracket = true;
    }
    at = last;
    end = ends[at]!;
    after = next;
    before = tokenClass;
  }
}

/** Whether lines that begin with the kind are looked at; parentheses may be redundant. */
function mayBegin(kind: number): boolean {
  switch (tokenClasses[kind]) {
    case TokenClass.NAME:
      return kind < Kind.KW_MATCH;
    case TokenClass.KEYWORD:
    case TokenClass.LSQB:
    case TokenClass.AT:
      return true;
    default:
      return false;
  }
}

function isOpening(tokenClass: number): boolean {
  return tokenClass >= TokenClass.LPAR && tokenClass <= TokenClass.LBRACE;
}

/** A sign or star, between operands or before one. */
function isUnary(tokenClass: number): boolean {
  return tokenClass === TokenClass.SIGN || tokenClass === TokenClass.STAR;
}

/**
 * Whether parentheses that do not call stay where they are (Black: they are no child of a statement directly after
 * one of the leaves that `normalize_invisible_parens` looks for, nor the only element of a list or set).
 */
function mayHoldParentheses(before: number, after: number, depth: number, sawFor: boolean): boolean {
  switch (before) {
    case TokenClass.LPAR:
    case TokenClass.OPERATOR:
      return true;
    case TokenClass.COMMA:
    case TokenClass.EQUAL:
      return depth > 0;
    case TokenClass.COLON:
      return openings[depth] === TokenClass.LBRACE;
    case TokenClass.SIGN:
    case TokenClass.STAR:
      return depth > 0 || after === After.SPACED;
    case TokenClass.AT:
      return after === After.SPACED;
    case TokenClass.IN:
      return !sawFor;
    default:
      return false;
  }
}

/** Whether the token may stand behind a bracket that closes at the beginning of a line. */
function mayFollowSplit(tokenClass: number, kind: number, depth: number, firstKind: number): boolean {
  if (tokenClass === TokenClass.COMMA) return depth > 0;
  if (tokenClass === TokenClass.COLON) return depth === 0 && headers[firstKind] === 1;
  return kind === Kind.RARROW && depth === 0;
}

/** Index of the token that ends the interpolated string begun at `start`; -1 where the source ends before. */
function interpolationEnd(kinds: Uint8Array, start: number): number {
  let open = 0;
  for (let at = start; at < kinds.length; at++) {
    const kind = kinds[at];
    if (kind === TokenKind.FSTRING_START) open++;
    else if (kind === TokenKind.ERROR || (kind === TokenKind.FSTRING_END && --open === 0)) return at;
  }
  return -1;
}
