/** Parentheses, lists, dicts and sets (`Grammar.txt`: atom, testlist_gexp, listmaker, dictsetmaker). */
import { Kind } from "../syntax/kinds.ts";
import { NONE } from "../syntax/tree.ts";
import { parseCompFor, parseOldCompFor } from "./comprehensions.ts";
import {
  Level,
  parseAsExpression,
  parseNamedExpression,
  parseNamedOrStar,
  parseOperators,
  parseRestOfTest,
  parseStarExpression,
  parseTest,
  parseYield,
} from "./expressions.ts";
import { noteUnpackingComprehension } from "./feature-notes.ts";
import { startsArgument, startsTestOrStar } from "./first-sets.ts";
import type { Parser } from "./parser.ts";

/** `'(' [yield_expr|testlist_gexp] ')'`. */
export function parseParentheses(p: Parser): number {
  const opening = p.leaf();
  const node = p.nodeWith(Kind.atom, opening);
  if (p.is(Kind.KW_YIELD)) p.link(node, parseYield(p));
  else if (!p.is(Kind.RPAR)) {
    const first = p.is(Kind.STAR) ? parseStarExpression(p) : parseNamedExpression(p);
    p.link(node, p.is(Kind.RPAR) ? first : parseElements(p, Kind.testlist_gexp, first));
  }
  p.pair(opening, p.expect(node, Kind.RPAR));
  return node;
}

/** `'[' [listmaker] ']'`. */
export function parseBrackets(p: Parser): number {
  const opening = p.leaf();
  const node = p.nodeWith(Kind.atom, opening);
  if (!p.is(Kind.RSQB)) {
    const first = p.is(Kind.STAR) ? parseStarExpression(p) : parseNamedExpression(p);
    p.link(node, p.is(Kind.RSQB) ? first : parseElements(p, Kind.listmaker, first));
  }
  p.pair(opening, p.expect(node, Kind.RSQB));
  return node;
}

/** What follows the first element: a comprehension or further elements. */
function parseElements(p: Parser, kind: number, first: number): number {
  if (p.is(Kind.KW_FOR) || p.is(Kind.ASYNC)) {
    const node = p.nodeWith(kind, first);
    p.link(node, parseOldCompFor(p));
    noteUnpackingComprehension(p, node);
    return node;
  }
  if (!p.is(Kind.COMMA)) p.fail();
  const node = p.nodeWith(kind, first);
  while (p.is(Kind.COMMA)) {
    p.shift(node);
    if (startsTestOrStar[p.kind] === 0) break;
    p.link(node, parseNamedOrStar(p));
  }
  return node;
}

/** `'{' [dictsetmaker] '}'`. */
export function parseBraces(p: Parser): number {
  const opening = p.leaf();
  const node = p.nodeWith(Kind.atom, opening);
  if (!p.is(Kind.RBRACE)) {
    const items = p.tree.addNode(Kind.dictsetmaker);
    const isDict = linkFirstItem(p, items);
    p.link(node, finishItems(p, items, isDict));
  }
  p.pair(opening, p.expect(node, Kind.RBRACE));
  return node;
}

/** What follows the first item: a comprehension or further items. An element alone takes the place of the node. */
function finishItems(p: Parser, items: number, isDict: boolean): number {
  const { tree } = p;
  if (p.is(Kind.KW_FOR) || p.is(Kind.ASYNC)) {
    p.link(items, parseCompFor(p));
    noteUnpackingComprehension(p, items);
    return items;
  }
  while (p.is(Kind.COMMA)) {
    p.shift(items);
    if (startsArgument[p.kind] === 0) break;
    if (isDict) linkDictItem(p, items);
    else linkSetItem(p, items);
  }
  const first = tree.first[items]!;
  if (tree.next[first] !== NONE) return items;
  tree.remove(first);
  return first;
}

/** Links the item that decides between dict and set; true for a dict. */
function linkFirstItem(p: Parser, items: number): boolean {
  if (p.is(Kind.DOUBLESTAR)) {
    linkDictItem(p, items);
    return true;
  }
  if (p.is(Kind.STAR)) {
    p.link(items, parseStarExpression(p));
    return false;
  }
  p.link(items, p.is(Kind.KW_LAMBDA) ? parseTest(p) : parseRestOfTest(p, parseOperators(p, Level.OR)));
  if (p.is(Kind.COLON)) {
    p.shift(items);
    p.link(items, parseAsExpression(p));
    return true;
  }
  linkNamedValue(p, items);
  return false;
}

function linkDictItem(p: Parser, items: number): void {
  if (p.is(Kind.DOUBLESTAR)) {
    p.shift(items);
    p.link(items, parseOperators(p, Level.EXPR));
    return;
  }
  p.link(items, parseTest(p));
  p.expect(items, Kind.COLON);
  p.link(items, parseAsExpression(p));
}

function linkSetItem(p: Parser, items: number): void {
  if (p.is(Kind.STAR)) p.link(items, parseStarExpression(p));
  else {
    p.link(items, parseTest(p));
    linkNamedValue(p, items);
  }
}

function linkNamedValue(p: Parser, items: number): void {
  if (!p.is(Kind.COLONEQUAL)) return;
  p.shift(items);
  p.link(items, parseTest(p));
}
