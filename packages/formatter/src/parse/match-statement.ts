/** `match` and its cases (`Grammar.txt`: match_stmt, case_block, guard, patterns). */
import { Feature } from "../mode/target-version.ts";
import { Kind } from "../syntax/kinds.ts";
import { Level, parseExprOrStar, parseNamedExpression, parseOperators, parseSubject } from "./expressions.ts";
import { startsExprOrStar } from "./first-sets.ts";
import type { Parser } from "./parser.ts";
import { parseSuite } from "./statements.ts";

/** `"match" subject_expr ':' NEWLINE INDENT case_block+ DEDENT`. */
export function parseMatch(p: Parser): number {
  p.features |= Feature.PATTERN_MATCHING;
  const keyword = p.leaf();
  p.tree.kind[keyword] = Kind.KW_MATCH;
  const node = p.nodeWith(Kind.match_stmt, keyword);
  p.link(node, parseSubject(p));
  p.expect(node, Kind.COLON);
  p.expect(node, Kind.NEWLINE);
  p.expect(node, Kind.INDENT);
  do p.link(node, parseCase(p));
  while (!p.is(Kind.DEDENT));
  p.shift(node);
  return node;
}

function parseCase(p: Parser): number {
  if (!p.is(Kind.KW_CASE)) p.fail();
  const keyword = p.leaf();
  p.tree.kind[keyword] = Kind.KW_CASE;
  const node = p.nodeWith(Kind.case_block, keyword);
  p.link(node, parsePatterns(p));
  if (p.is(Kind.KW_IF)) {
    const guard = p.nodeWith(Kind.guard, p.leaf());
    p.link(guard, parseNamedExpression(p));
    p.link(node, guard);
  }
  p.expect(node, Kind.COLON);
  p.link(node, parseSuite(p));
  return node;
}

function parsePatterns(p: Parser): number {
  const first = parsePattern(p);
  if (!p.is(Kind.COMMA)) return first;
  const list = p.nodeWith(Kind.patterns, first);
  while (p.is(Kind.COMMA)) {
    p.shift(list);
    if (startsExprOrStar[p.kind] === 0) break;
    p.link(list, parsePattern(p));
  }
  return list;
}

/** `pattern: (expr|star_expr) ['as' expr]`: blib2to3 takes patterns for expressions. */
function parsePattern(p: Parser): number {
  const value = parseExprOrStar(p);
  if (!p.is(Kind.KW_AS)) return value;
  const node = p.nodeWith(Kind.pattern, value);
  p.shift(node);
  p.link(node, parseOperators(p, Level.EXPR));
  return node;
}
