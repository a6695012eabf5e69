/** Statements of one line (`Grammar.txt`: simple_stmt, small_stmt, expr_stmt and others). */
import { Feature } from "../mode/target-version.ts";
import { Kind } from "../syntax/kinds.ts";
import { parseExprList, parseTest, parseTestList, parseTestListStar, parseYield } from "./expressions.ts";
import { noteUnpacking } from "./feature-notes.ts";
import { augmentedAssignments, names, startsTestOrStar } from "./first-sets.ts";
import { parseImportFrom, parseImportName, parseLazyImport } from "./imports.ts";
import type { Parser } from "./parser.ts";
import { isTypeAlias } from "./soft-keywords.ts";
import { parseTypeAlias } from "./type-parameters.ts";

/** `simple_stmt: small_stmt (';' small_stmt)* [';'] NEWLINE`. */
export function parseSimpleStatement(p: Parser): number {
  const node = p.nodeWith(Kind.simple_stmt, parseSmallStatement(p));
  while (p.is(Kind.SEMI)) {
    p.shift(node);
    if (p.is(Kind.NEWLINE)) break;
    p.link(node, parseSmallStatement(p));
  }
  p.expect(node, Kind.NEWLINE);
  return node;
}

function parseSmallStatement(p: Parser): number {
  switch (p.kind) {
    case Kind.KW_RETURN:
      return parseReturn(p);
    case Kind.KW_IMPORT:
      return parseImportName(p);
    case Kind.KW_FROM:
      return parseImportFrom(p);
    case Kind.KW_PASS:
    case Kind.KW_BREAK:
    case Kind.KW_CONTINUE:
      return p.leaf();
    case Kind.KW_RAISE:
      return parseRaise(p);
    case Kind.KW_ASSERT:
      return parseAssert(p);
    case Kind.KW_DEL:
      return parseDelete(p);
    case Kind.KW_GLOBAL:
    case Kind.KW_NONLOCAL:
      return parseGlobal(p);
    case Kind.KW_YIELD:
      return parseYield(p);
    case Kind.LAZY:
      return parseLazyImport(p);
    case Kind.KW_TYPE:
      return isTypeAlias(p) ? parseTypeAlias(p) : parseExpressionStatement(p);
    default:
      return parseExpressionStatement(p);
  }
}

/** `expr_stmt`: an expression, an assignment, an augmented or an annotated one. */
function parseExpressionStatement(p: Parser): number {
  const target = parseTestListStar(p);
  if (p.is(Kind.EQUAL)) {
    const node = p.nodeWith(Kind.expr_stmt, target);
    while (p.is(Kind.EQUAL)) {
      p.shift(node);
      p.link(node, p.is(Kind.KW_YIELD) ? parseYield(p) : parseTestListStar(p));
    }
    return node;
  }
  if (p.is(Kind.COLON)) {
    const node = p.nodeWith(Kind.expr_stmt, target);
    p.link(node, parseAnnotation(p));
    return node;
  }
  if (augmentedAssignments[p.kind] === 0) return target;
  const node = p.nodeWith(Kind.expr_stmt, target);
  p.shift(node);
  p.link(node, p.is(Kind.KW_YIELD) ? parseYield(p) : parseTestList(p));
  return node;
}

/** `annassign: ':' test ['=' (yield_expr|testlist_star_expr)]`. */
function parseAnnotation(p: Parser): number {
  const node = p.nodeWith(Kind.annassign, p.leaf());
  p.link(node, parseTest(p));
  if (!p.is(Kind.EQUAL)) return node;
  p.shift(node);
  if (p.is(Kind.KW_YIELD)) {
    p.link(node, parseYield(p));
    return node;
  }
  const value = parseTestListStar(p);
  p.link(node, value);
  if (p.tree.kind[value] === Kind.testlist_star_expr) p.features |= Feature.ANN_ASSIGN_EXTENDED_RHS;
  return node;
}

function parseReturn(p: Parser): number {
  const keyword = p.leaf();
  if (startsTestOrStar[p.kind] === 0) return keyword;
  const node = p.nodeWith(Kind.return_stmt, keyword);
  const value = parseTestListStar(p);
  p.link(node, value);
  noteUnpacking(p, value);
  return node;
}

/** `raise`, also with Python 2's commas. */
function parseRaise(p: Parser): number {
  const keyword = p.leaf();
  if (startsTestOrStar[p.kind] === 0 || p.is(Kind.STAR)) return keyword;
  const node = p.nodeWith(Kind.raise_stmt, keyword);
  p.link(node, parseTest(p));
  if (p.is(Kind.KW_FROM)) {
    p.shift(node);
    p.link(node, parseTest(p));
    return node;
  }
  for (let i = 0; i < 2 && p.is(Kind.COMMA); i++) {
    p.shift(node);
    p.link(node, parseTest(p));
  }
  return node;
}

function parseAssert(p: Parser): number {
  const node = p.nodeWith(Kind.assert_stmt, p.leaf());
  p.link(node, parseTest(p));
  if (p.is(Kind.COMMA)) {
    p.shift(node);
    p.link(node, parseTest(p));
  }
  return node;
}

function parseDelete(p: Parser): number {
  const node = p.nodeWith(Kind.del_stmt, p.leaf());
  p.link(node, parseExprList(p));
  return node;
}

function parseGlobal(p: Parser): number {
  const node = p.nodeWith(Kind.global_stmt, p.leaf());
  p.expectName(node);
  while (p.is(Kind.COMMA)) {
    p.shift(node);
    if (names[p.kind] === 0) p.fail();
    p.shift(node);
  }
  return node;
}
