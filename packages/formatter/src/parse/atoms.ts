/** Atoms, their trailers and the power operator (`Grammar.txt`: factor, power, atom, trailer). */
import { Kind } from "../syntax/kinds.ts";
import { NONE } from "../syntax/tree.ts";
import { parseArguments } from "./arguments.ts";
import { parseBraces, parseBrackets, parseParentheses } from "./displays.ts";
import { parseTest } from "./expressions.ts";
import { names } from "./first-sets.ts";
import type { Parser } from "./parser.ts";
import { parseStrings } from "./strings.ts";
import { parseSubscripts } from "./subscripts.ts";

/** `factor`: signs, then `power`: an atom with trailers, awaited, raised. */
export function parsePower(p: Parser): number {
  if (p.is(Kind.MINUS) || p.is(Kind.PLUS) || p.is(Kind.TILDE)) return parseSigns(p);
  let node: number = NONE;
  if (p.is(Kind.AWAIT)) node = p.nodeWith(Kind.power, p.leaf());
  let atom: number;
  // Brackets are told apart here: with a function between, they would nest less deep on the same stack.
  if (names[p.kind] === 1) atom = p.leaf();
  else if (p.is(Kind.LPAR)) atom = parseParentheses(p);
  else if (p.is(Kind.LSQB)) atom = parseBrackets(p);
  else if (p.is(Kind.LBRACE)) atom = parseBraces(p);
  else atom = parseLiteral(p);
  if (node !== NONE) p.link(node, atom);
  for (;;) {
    const { kind } = p;
    if (kind !== Kind.DOT && kind !== Kind.LPAR && kind !== Kind.LSQB) break;
    if (node === NONE) node = p.nodeWith(Kind.power, atom);
    if (kind === Kind.LPAR) p.link(node, parseArguments(p));
    else if (kind === Kind.LSQB) p.link(node, parseSubscripts(p));
    else p.link(node, parseAttribute(p));
  }
  if (p.is(Kind.DOUBLESTAR)) {
    if (node === NONE) node = p.nodeWith(Kind.power, atom);
    p.shift(node);
    p.link(node, parsePower(p));
  }
  return node === NONE ? atom : node;
}

function parseSigns(p: Parser): number {
  const root = p.nodeWith(Kind.factor, p.leaf());
  let node = root;
  while (p.is(Kind.MINUS) || p.is(Kind.PLUS) || p.is(Kind.TILDE)) {
    const inner = p.nodeWith(Kind.factor, p.leaf());
    p.link(node, inner);
    node = inner;
  }
  p.link(node, parsePower(p));
  return root;
}

function parseLiteral(p: Parser): number {
  switch (p.kind) {
    case Kind.STRING:
    case Kind.FSTRING_START:
      return parseStrings(p);
    case Kind.NUMBER:
      return p.leaf();
    case Kind.DOT:
      return parseEllipsis(p);
    case Kind.BACKQUOTE:
      return parseBackquotes(p);
    default:
      return p.fail();
  }
}

/** Three dots: blib2to3 has no leaf for them together. */
function parseEllipsis(p: Parser): number {
  const node = p.nodeWith(Kind.atom, p.leaf());
  p.expect(node, Kind.DOT);
  p.expect(node, Kind.DOT);
  return node;
}

/** Python 2's `repr`. */
function parseBackquotes(p: Parser): number {
  const node = p.nodeWith(Kind.atom, p.leaf());
  const first = parseTest(p);
  if (p.is(Kind.COMMA)) {
    const list = p.nodeWith(Kind.testlist1, first);
    while (p.is(Kind.COMMA)) {
      p.shift(list);
      p.link(list, parseTest(p));
    }
    p.link(node, list);
  } else p.link(node, first);
  p.expect(node, Kind.BACKQUOTE);
  return node;
}

function parseAttribute(p: Parser): number {
  const node = p.nodeWith(Kind.trailer, p.leaf());
  p.expectName(node);
  return node;
}
