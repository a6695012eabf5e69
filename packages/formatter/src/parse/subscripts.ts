/** Subscripts and slices (`Grammar.txt`: trailer, subscriptlist, subscript, sliceop). */
import { Kind } from "../syntax/kinds.ts";
import { NONE } from "../syntax/tree.ts";
import { Level, parseOperators, parseRestOfTest, parseStarExpression, parseTest } from "./expressions.ts";
import { noteVariadicSubscript } from "./feature-notes.ts";
import { startsSubscript, startsTest } from "./first-sets.ts";
import type { Parser } from "./parser.ts";

/** A trailer in square brackets. */
export function parseSubscripts(p: Parser): number {
  const opening = p.leaf();
  const node = p.nodeWith(Kind.trailer, opening);
  const first = parseSubscript(p);
  if (p.is(Kind.COMMA)) {
    const list = p.nodeWith(Kind.subscriptlist, first);
    while (p.is(Kind.COMMA)) {
      p.shift(list);
      if (startsSubscript[p.kind] === 0) break;
      p.link(list, parseSubscript(p));
    }
    noteVariadicSubscript(p, list);
    p.link(node, list);
  } else {
    p.link(node, first);
    noteVariadicSubscript(p, node);
  }
  p.pair(opening, p.expect(node, Kind.RSQB));
  return node;
}

function parseSubscript(p: Parser): number {
  if (p.is(Kind.STAR)) return parseStarExpression(p);
  let first: number = NONE;
  if (!p.is(Kind.COLON)) {
    first = p.is(Kind.KW_LAMBDA) ? parseTest(p) : parseRestOfTest(p, parseOperators(p, Level.OR));
    if (p.is(Kind.COLONEQUAL)) {
      const node = p.nodeWith(Kind.subscript, first);
      p.shift(node);
      p.link(node, parseTest(p));
      return node;
    }
    if (!p.is(Kind.COLON)) return first;
  }
  return parseSlice(p, first);
}

function parseSlice(p: Parser, first: number): number {
  const colon = p.leaf();
  const hasUpper = startsTest[p.kind] === 1;
  if (first === NONE && !hasUpper && !p.is(Kind.COLON)) return colon;
  const node = p.tree.addNode(Kind.subscript);
  if (first !== NONE) p.link(node, first);
  p.link(node, colon);
  if (hasUpper) p.link(node, parseTest(p));
  if (!p.is(Kind.COLON)) return node;
  const second = p.leaf();
  if (startsTest[p.kind] === 1) {
    const step = p.nodeWith(Kind.sliceop, second);
    p.link(step, parseTest(p));
    p.link(node, step);
  } else p.link(node, second);
  return node;
}
