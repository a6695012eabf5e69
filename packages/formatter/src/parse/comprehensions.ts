/** The clauses of comprehensions; the two families differ in what follows `in` (`Grammar.txt`: comp_for, old_comp_for). */
import { Kind } from "../syntax/kinds.ts";
import { NONE } from "../syntax/tree.ts";
import { Level, parseExprList, parseOperators } from "./expressions.ts";
import { startsTest } from "./first-sets.ts";
import { parseLambda } from "./parameters.ts";
import type { Parser } from "./parser.ts";

/** `comp_for` with the clauses nested in it: in calls, sets and dicts. */
export function parseCompFor(p: Parser): number {
  return parseClauses(p, Kind.comp_for, Kind.comp_if);
}

/** `old_comp_for` with the clauses nested in it: in parentheses and square brackets. */
export function parseOldCompFor(p: Parser): number {
  return parseClauses(p, Kind.old_comp_for, Kind.old_comp_if);
}

function parseClauses(p: Parser, forKind: number, ifKind: number): number {
  let root: number = NONE;
  let outer: number = NONE;
  for (;;) {
    let node: number;
    if (p.is(Kind.KW_IF)) {
      node = p.nodeWith(ifKind, p.leaf());
      p.link(node, parseOldTest(p));
    } else if (p.is(Kind.KW_FOR) || p.is(Kind.ASYNC)) node = parseForClause(p, forKind);
    else return root;
    if (root === NONE) root = node;
    else p.link(outer, node);
    outer = node;
  }
}

function parseForClause(p: Parser, kind: number): number {
  const node = p.tree.addNode(kind);
  if (p.is(Kind.ASYNC)) p.shift(node);
  p.expect(node, Kind.KW_FOR);
  p.link(node, parseExprList(p));
  p.expect(node, Kind.KW_IN);
  p.link(node, kind === Kind.comp_for ? parseOperators(p, Level.OR) : parseSafeTestList(p));
  return node;
}

/** `testlist_safe`. */
function parseSafeTestList(p: Parser): number {
  const first = parseOldTest(p);
  if (!p.is(Kind.COMMA)) return first;
  const list = p.nodeWith(Kind.testlist_safe, first);
  p.shift(list);
  p.link(list, parseOldTest(p));
  while (p.is(Kind.COMMA)) {
    p.shift(list);
    if (startsTest[p.kind] === 0) break;
    p.link(list, parseOldTest(p));
  }
  return list;
}

/** `old_test`: no ternary. */
function parseOldTest(p: Parser): number {
  return p.is(Kind.KW_LAMBDA) ? parseLambda(p, true) : parseOperators(p, Level.OR);
}
