/** Tests, operators and lists of them (`Grammar.txt`: test, namedexpr_test, testlist and below). */
import { Kind } from "../syntax/kinds.ts";
import { parsePower } from "./atoms.ts";
import { noteUnpacking } from "./feature-notes.ts";
import { startsExprOrStar, startsTest, startsTestOrStar } from "./first-sets.ts";
import { parseLambda } from "./parameters.ts";
import type { Parser } from "./parser.ts";

/** How tightly operators bind, loosest first. */
export const Level = { OR: 1, AND: 2, NOT: 3, COMPARISON: 4, EXPR: 5 } as const;

const TERM = 10;

const nodeOfLevel = Uint8Array.of(
  0,
  Kind.or_test,
  Kind.and_test,
  Kind.not_test,
  Kind.comparison,
  Kind.expr,
  Kind.xor_expr,
  Kind.and_expr,
  Kind.shift_expr,
  Kind.arith_expr,
  Kind.term,
);

const levelOf = buildLevels();

function buildLevels(): Uint8Array {
  const table = new Uint8Array(256);
  const comparisons = [
    Kind.LESS,
    Kind.GREATER,
    Kind.EQEQUAL,
    Kind.GREATEREQUAL,
    Kind.LESSEQUAL,
    Kind.NOTEQUAL,
  ];
  const rows: readonly (readonly number[])[] = [
    [],
    [Kind.KW_OR],
    [Kind.KW_AND],
    [],
    [...comparisons, Kind.KW_IN, Kind.KW_NOT, Kind.KW_IS],
    [Kind.VBAR],
    [Kind.CIRCUMFLEX],
    [Kind.AMPER],
    [Kind.LEFTSHIFT, Kind.RIGHTSHIFT],
    [Kind.PLUS, Kind.MINUS],
    [Kind.STAR, Kind.AT, Kind.SLASH, Kind.PERCENT, Kind.DOUBLESLASH],
  ];
  for (let level = 1; level <= TERM; level++) for (const kind of rows[level]!) table[kind] = level;
  return table;
}

/** Operands and binary operators of at least the level; `not` where the level admits it. */
export function parseOperators(p: Parser, level: number): number {
  let left: number;
  if (p.is(Kind.KW_NOT) && level <= Level.NOT) {
    left = p.nodeWith(Kind.not_test, p.leaf());
    p.link(left, parseOperators(p, Level.NOT));
  } else left = parsePower(p);
  for (let found = levelOf[p.kind]!; found !== 0 && found >= level; found = levelOf[p.kind]!) {
    const node = p.nodeWith(nodeOfLevel[found]!, left);
    do {
      if (found === Level.COMPARISON) linkComparison(p, node);
      else p.shift(node);
      p.link(node, parseOperators(p, found + 1));
    } while (levelOf[p.kind] === found);
    left = node;
  }
  return left;
}

/** A comparison operator, of one or two words. */
function linkComparison(p: Parser, node: number): void {
  const first = p.kind;
  if (first === Kind.KW_NOT || (first === Kind.KW_IS && p.nextKind === Kind.KW_NOT)) {
    const operator = p.nodeWith(Kind.comp_op, p.leaf());
    p.expect(operator, first === Kind.KW_NOT ? Kind.KW_IN : Kind.KW_NOT);
    p.link(node, operator);
  } else p.shift(node);
}

/** `test`: a ternary, a lambda or operators. A chain of ternaries takes no deeper stack. */
export function parseTest(p: Parser): number {
  if (p.is(Kind.KW_LAMBDA)) return parseLambda(p, false);
  return parseRestOfTest(p, parseOperators(p, Level.OR));
}

/** A condition, or the ternary that it begins. */
export function parseRestOfTest(p: Parser, condition: number): number {
  return p.is(Kind.KW_IF) ? parseTernary(p, condition) : condition;
}

function parseTernary(p: Parser, first: number): number {
  const root = p.nodeWith(Kind.test, first);
  let node = root;
  for (;;) {
    p.shift(node);
    p.link(node, parseOperators(p, Level.OR));
    p.expect(node, Kind.KW_ELSE);
    const rest = p.is(Kind.KW_LAMBDA) ? parseLambda(p, false) : parseOperators(p, Level.OR);
    if (!p.is(Kind.KW_IF)) {
      p.link(node, rest);
      return root;
    }
    const inner = p.nodeWith(Kind.test, rest);
    p.link(node, inner);
    node = inner;
  }
}

/** `asexpr_test: test ['as' test]`. */
export function parseAsExpression(p: Parser): number {
  const test = p.is(Kind.KW_LAMBDA) ? parseLambda(p, false) : parseRestOfTest(p, parseOperators(p, Level.OR));
  return p.is(Kind.KW_AS) ? parseAsTarget(p, test) : test;
}

function parseAsTarget(p: Parser, test: number): number {
  const node = p.nodeWith(Kind.asexpr_test, test);
  p.shift(node);
  p.link(node, parseTest(p));
  return node;
}

/** `namedexpr_test: asexpr_test [':=' asexpr_test]`. */
export function parseNamedExpression(p: Parser): number {
  const test = p.is(Kind.KW_LAMBDA) ? parseLambda(p, false) : parseRestOfTest(p, parseOperators(p, Level.OR));
  return p.is(Kind.KW_AS) || p.is(Kind.COLONEQUAL) ? parseNamedRest(p, test) : test;
}

function parseNamedRest(p: Parser, test: number): number {
  const left = p.is(Kind.KW_AS) ? parseAsTarget(p, test) : test;
  if (!p.is(Kind.COLONEQUAL)) return left;
  const node = p.nodeWith(Kind.namedexpr_test, left);
  p.shift(node);
  p.link(node, parseAsExpression(p));
  return node;
}

/** `star_expr: '*' expr`. */
export function parseStarExpression(p: Parser): number {
  const node = p.nodeWith(Kind.star_expr, p.leaf());
  p.link(node, parseOperators(p, Level.EXPR));
  return node;
}

/** `test` or `star_expr`. */
export function parseTestOrStar(p: Parser): number {
  return p.is(Kind.STAR) ? parseStarExpression(p) : parseTest(p);
}

/** `expr` or `star_expr`. */
export function parseExprOrStar(p: Parser): number {
  return p.is(Kind.STAR) ? parseStarExpression(p) : parseOperators(p, Level.EXPR);
}

/** `namedexpr_test` or `star_expr`. */
export function parseNamedOrStar(p: Parser): number {
  return p.is(Kind.STAR) ? parseStarExpression(p) : parseNamedExpression(p);
}

/** `testlist_star_expr`. */
export function parseTestListStar(p: Parser): number {
  const first = parseTestOrStar(p);
  if (!p.is(Kind.COMMA)) return first;
  const list = p.nodeWith(Kind.testlist_star_expr, first);
  do {
    p.shift(list);
    if (startsTestOrStar[p.kind] === 0) break;
    p.link(list, parseTestOrStar(p));
  } while (p.is(Kind.COMMA));
  return list;
}

/** `testlist`. */
export function parseTestList(p: Parser): number {
  const first = parseTest(p);
  if (!p.is(Kind.COMMA)) return first;
  const list = p.nodeWith(Kind.testlist, first);
  do {
    p.shift(list);
    if (startsTest[p.kind] === 0) break;
    p.link(list, parseTest(p));
  } while (p.is(Kind.COMMA));
  return list;
}

/** `exprlist`. */
export function parseExprList(p: Parser): number {
  const first = parseExprOrStar(p);
  if (!p.is(Kind.COMMA)) return first;
  const list = p.nodeWith(Kind.exprlist, first);
  do {
    p.shift(list);
    if (startsExprOrStar[p.kind] === 0) break;
    p.link(list, parseExprOrStar(p));
  } while (p.is(Kind.COMMA));
  return list;
}

/** `subject_expr`: what `match` looks at. */
export function parseSubject(p: Parser): number {
  const first = parseNamedOrStar(p);
  if (!p.is(Kind.COMMA)) return first;
  const list = p.nodeWith(Kind.subject_expr, first);
  do {
    p.shift(list);
    if (startsTestOrStar[p.kind] === 0) break;
    p.link(list, parseNamedOrStar(p));
  } while (p.is(Kind.COMMA));
  return list;
}

/** `yield_expr`; the keyword alone is a leaf. */
export function parseYield(p: Parser): number {
  const keyword = p.leaf();
  if (p.is(Kind.KW_FROM)) {
    const argument = p.nodeWith(Kind.yield_arg, p.leaf());
    p.link(argument, parseTest(p));
    const node = p.nodeWith(Kind.yield_expr, keyword);
    p.link(node, argument);
    return node;
  }
  if (startsTestOrStar[p.kind] === 0) return keyword;
  const node = p.nodeWith(Kind.yield_expr, keyword);
  const value = parseTestListStar(p);
  p.link(node, value);
  noteUnpacking(p, value);
  return node;
}
