/** String literals, side by side and interpolated (`Grammar.txt`: atom, fstring, tstring). */
import { Feature } from "../mode/target-version.ts";
import { Kind } from "../syntax/kinds.ts";
import { testDescendants } from "../syntax/predicates/operators.ts";
import { TextFlag, type Tree } from "../syntax/tree.ts";
import { TokenKind } from "../tokenize/token-kind.ts";
import { parseTestListStar, parseYield } from "./expressions.ts";
import type { Parser } from "./parser.ts";

/** One or more string literals; several are an atom. */
export function parseStrings(p: Parser): number {
  const first = parseString(p);
  if (!p.is(Kind.STRING) && !p.is(TokenKind.FSTRING_START)) return first;
  const node = p.nodeWith(Kind.atom, first);
  while (p.is(Kind.STRING) || p.is(TokenKind.FSTRING_START)) p.link(node, parseString(p));
  return node;
}

function parseString(p: Parser): number {
  return p.is(Kind.STRING) ? p.leaf() : parseInterpolated(p);
}

/**
 * An f-string or t-string as one STRING leaf (Black: `fstring_tstring_to_string`). Its fields are parsed, for errors
 * and for features, and their nodes dropped again.
 */
function parseInterpolated(p: Parser): number {
  const { tree } = p;
  const count = tree.count;
  const leaf = p.leaf();
  const scratch = tree.addNode(Kind.atom);
  while (!p.is(TokenKind.FSTRING_END)) {
    if (p.is(TokenKind.FSTRING_MIDDLE)) p.advance();
    else parseField(p, scratch);
  }
  const holdsExpression = addsExpression(tree, count + 1);
  tree.truncate(count + 1);
  const end = p.tokens.ends[p.at]!;
  p.advance();
  tree.end[leaf] = end;
  tree.textFlags[leaf] =
    TextFlag.INTERPOLATED |
    (holdsExpression ? TextFlag.HOLDS_EXPRESSION : 0) |
    textFlagsOf(tree.source, tree.start[leaf]!, end);
  return leaf;
}

/** Whether there is an expression of several parts from the id on, be it in a string within a field. */
function addsExpression(tree: Tree, from: number): boolean {
  for (let id = from; id < tree.count; id++) {
    if (testDescendants[tree.kind[id]!] !== 0) return true;
    if ((tree.textFlags[id]! & TextFlag.HOLDS_EXPRESSION) !== 0) return true;
  }
  return false;
}

/** A replacement field. */
function parseField(p: Parser, scratch: number): void {
  if (!p.is(Kind.LBRACE)) p.fail();
  p.advance();
  p.link(scratch, p.is(Kind.KW_YIELD) ? parseYield(p) : parseTestListStar(p));
  if (p.is(Kind.EQUAL)) {
    p.features |= Feature.DEBUG_F_STRINGS;
    p.advance();
  }
  if (p.is(Kind.BANG)) {
    p.advance();
    p.expectName(scratch);
  }
  if (p.is(Kind.COLON)) {
    p.advance();
    while (p.is(TokenKind.FSTRING_MIDDLE) || p.is(Kind.LBRACE)) {
      if (p.is(Kind.LBRACE)) parseField(p, scratch);
      else p.advance();
    }
  }
  if (!p.is(Kind.RBRACE)) p.fail();
  p.advance();
}

function textFlagsOf(source: string, start: number, end: number): number {
  let flags = 0;
  for (let at = start; at < end; at++) {
    const code = source.charCodeAt(at);
    if (code === 10) flags |= TextFlag.MULTILINE;
    else if (code > 127) flags |= TextFlag.NON_ASCII;
  }
  return flags;
}
