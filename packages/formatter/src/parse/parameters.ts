/** Parameters of functions and lambdas (`Grammar.txt`: parameters, typedargslist, varargslist, lambdef). */
import { Feature } from "../mode/target-version.ts";
import { Kind } from "../syntax/kinds.ts";
import { NONE } from "../syntax/tree.ts";
import { Level, parseOperators, parseStarExpression, parseTest } from "./expressions.ts";
import { noteTrailingComma } from "./feature-notes.ts";
import { names } from "./first-sets.ts";
import type { Parser } from "./parser.ts";

/** `'(' [typedargslist] ')'`. */
export function parseParameters(p: Parser): number {
  if (!p.is(Kind.LPAR)) p.fail();
  const opening = p.leaf();
  const node = p.nodeWith(Kind.parameters, opening);
  if (!p.is(Kind.RPAR)) p.link(node, parseParameterList(p, true));
  p.pair(opening, p.expect(node, Kind.RPAR));
  return node;
}

/** `lambdef`, or `old_lambdef` where no ternary may follow the colon. */
export function parseLambda(p: Parser, isOld: boolean): number {
  const node = p.nodeWith(isOld ? Kind.old_lambdef : Kind.lambdef, p.leaf());
  if (!p.is(Kind.COLON)) p.link(node, parseParameterList(p, false));
  p.expect(node, Kind.COLON);
  if (!isOld) p.link(node, parseTest(p));
  else p.link(node, p.is(Kind.KW_LAMBDA) ? parseLambda(p, true) : parseOperators(p, Level.OR));
  return node;
}

/** What the list still admits. */
const Phase = { BEFORE_SLASH: 0, AFTER_SLASH: 1, AFTER_STAR: 2, ENDED: 3 } as const;

/** `typedargslist` when the parameters may have types, else `varargslist`. */
function parseParameterList(p: Parser, isTyped: boolean): number {
  const { tree } = p;
  const list = tree.addNode(isTyped ? Kind.typedargslist : Kind.varargslist);
  let phase: number = Phase.BEFORE_SLASH;
  for (;;) {
    phase = linkParameter(p, list, isTyped, phase);
    if (!p.is(Kind.COMMA)) break;
    p.shift(list);
    if (p.is(Kind.RPAR) || p.is(Kind.COLON) || phase === Phase.ENDED) break;
  }
  const first = tree.first[list]!;
  if (tree.next[first] === NONE) {
    tree.remove(first);
    return first;
  }
  if (isTyped) noteTrailingComma(p, list);
  return list;
}

/** Links one parameter, `/`, `*` or `**`, and returns what may follow. */
function linkParameter(p: Parser, list: number, isTyped: boolean, phase: number): number {
  if (p.is(Kind.DOUBLESTAR)) {
    p.shift(list);
    p.link(list, isTyped ? parseTypedName(p) : p.nameLeaf());
    return Phase.ENDED;
  }
  if (p.is(Kind.STAR) && phase < Phase.AFTER_STAR) {
    p.shift(list);
    if (names[p.kind] === 1) p.link(list, isTyped ? parseStarName(p) : p.leaf());
    return Phase.AFTER_STAR;
  }
  if (p.is(Kind.SLASH) && phase === Phase.BEFORE_SLASH && p.tree.first[list] !== NONE) {
    p.features |= Feature.POS_ONLY_ARGUMENTS;
    p.shift(list);
    return Phase.AFTER_SLASH;
  }
  if (phase === Phase.AFTER_STAR) p.link(list, isTyped ? parseTypedName(p) : p.nameLeaf());
  else p.link(list, p.is(Kind.LPAR) ? parseTuple(p, isTyped) : parsePlain(p, isTyped));
  if (p.is(Kind.EQUAL)) {
    p.shift(list);
    p.link(list, parseTest(p));
  }
  return phase;
}

function parsePlain(p: Parser, isTyped: boolean): number {
  return isTyped ? parseTypedName(p) : p.nameLeaf();
}

/** `tname: NAME [':' test]`. */
function parseTypedName(p: Parser): number {
  const name = p.nameLeaf();
  if (!p.is(Kind.COLON)) return name;
  const node = p.nodeWith(Kind.tname, name);
  p.shift(node);
  p.link(node, parseTest(p));
  return node;
}

/** `tname_star: NAME [':' (test|star_expr)]`. */
function parseStarName(p: Parser): number {
  const name = p.leaf();
  if (!p.is(Kind.COLON)) return name;
  const node = p.nodeWith(Kind.tname_star, name);
  p.shift(node);
  if (p.is(Kind.STAR)) {
    p.features |= Feature.VARIADIC_GENERICS;
    p.link(node, parseStarExpression(p));
  } else p.link(node, parseTest(p));
  return node;
}

/** Python 2's parameters in parentheses: `tfpdef` and `tfplist`, or `vfpdef` and `vfplist`. */
function parseTuple(p: Parser, isTyped: boolean): number {
  const opening = p.leaf();
  const node = p.nodeWith(isTyped ? Kind.tfpdef : Kind.vfpdef, opening);
  const first = parseTupleElement(p, isTyped);
  if (p.is(Kind.COMMA)) {
    const list = p.nodeWith(isTyped ? Kind.tfplist : Kind.vfplist, first);
    while (p.is(Kind.COMMA)) {
      p.shift(list);
      if (p.is(Kind.RPAR)) break;
      p.link(list, parseTupleElement(p, isTyped));
    }
    p.link(node, list);
  } else p.link(node, first);
  p.pair(opening, p.expect(node, Kind.RPAR));
  return node;
}

function parseTupleElement(p: Parser, isTyped: boolean): number {
  return p.is(Kind.LPAR) ? parseTuple(p, isTyped) : parsePlain(p, isTyped);
}
