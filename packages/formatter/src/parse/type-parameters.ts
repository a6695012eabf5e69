/** Type parameters and type aliases (`Grammar.txt`: typeparams, type_stmt). */
import { Feature } from "../mode/target-version.ts";
import { Kind } from "../syntax/kinds.ts";
import { parseTest, parseTestOrStar } from "./expressions.ts";
import type { Parser } from "./parser.ts";

/** `'[' typeparam (',' typeparam)* [','] ']'`. */
export function parseTypeParameters(p: Parser): number {
  p.features |= Feature.TYPE_PARAMS;
  const opening = p.leaf();
  const node = p.nodeWith(Kind.typeparams, opening);
  p.link(node, parseTypeParameter(p));
  while (p.is(Kind.COMMA)) {
    p.shift(node);
    if (p.is(Kind.RSQB)) break;
    p.link(node, parseTypeParameter(p));
  }
  p.pair(opening, p.expect(node, Kind.RSQB));
  return node;
}

function parseTypeParameter(p: Parser): number {
  if (p.is(Kind.STAR)) return parseStarred(p, Kind.typevartuple);
  if (p.is(Kind.DOUBLESTAR)) return parseStarred(p, Kind.paramspec);
  const name = p.nameLeaf();
  if (!p.is(Kind.COLON) && !p.is(Kind.EQUAL)) return name;
  const node = p.nodeWith(Kind.typevar, name);
  if (p.is(Kind.COLON)) {
    p.shift(node);
    p.link(node, parseTest(p));
  }
  linkDefault(p, node, false);
  return node;
}

function parseStarred(p: Parser, kind: number): number {
  const node = p.nodeWith(kind, p.leaf());
  p.expectName(node);
  linkDefault(p, node, kind === Kind.typevartuple);
  return node;
}

function linkDefault(p: Parser, node: number, mayStar: boolean): void {
  if (!p.is(Kind.EQUAL)) return;
  p.features |= Feature.TYPE_PARAM_DEFAULTS;
  p.shift(node);
  p.link(node, mayStar ? parseTestOrStar(p) : parseTest(p));
}

/** `"type" NAME [typeparams] '=' test`. */
export function parseTypeAlias(p: Parser): number {
  p.features |= Feature.TYPE_PARAMS;
  const keyword = p.leaf();
  p.tree.kind[keyword] = Kind.KW_TYPE;
  const node = p.nodeWith(Kind.type_stmt, keyword);
  p.expectName(node);
  if (p.is(Kind.LSQB)) p.link(node, parseTypeParameters(p));
  p.expect(node, Kind.EQUAL);
  p.link(node, parseTest(p));
  return node;
}
