/** Calls and the bases of classes (`Grammar.txt`: trailer, arglist, argument). */
import { Kind } from "../syntax/kinds.ts";
import { parseCompFor } from "./comprehensions.ts";
import { Level, parseAsExpression, parseOperators, parseRestOfTest, parseTest } from "./expressions.ts";
import { noteTrailingComma } from "./feature-notes.ts";
import { startsArgument } from "./first-sets.ts";
import type { Parser } from "./parser.ts";

/** A call's trailer. */
export function parseArguments(p: Parser): number {
  const opening = p.leaf();
  return finishArguments(p, p.nodeWith(Kind.trailer, opening), opening);
}

/** Links an argument list, if there is one, and the closing parenthesis; returns the node. */
export function finishArguments(p: Parser, node: number, opening: number): number {
  if (startsArgument[p.kind] === 1) {
    const first = parseArgument(p);
    p.link(node, p.is(Kind.COMMA) ? parseArgumentList(p, first) : first);
  }
  p.pair(opening, p.expect(node, Kind.RPAR));
  return node;
}

function parseArgumentList(p: Parser, first: number): number {
  const list = p.nodeWith(Kind.arglist, first);
  while (p.is(Kind.COMMA)) {
    p.shift(list);
    if (startsArgument[p.kind] === 0) break;
    p.link(list, parseArgument(p));
  }
  noteTrailingComma(p, list);
  return list;
}

function parseArgument(p: Parser): number {
  if (p.is(Kind.STAR) || p.is(Kind.DOUBLESTAR)) {
    const node = p.nodeWith(Kind.argument, p.leaf());
    p.link(node, parseTest(p));
    return node;
  }
  const test = p.is(Kind.KW_LAMBDA) ? parseTest(p) : parseRestOfTest(p, parseOperators(p, Level.OR));
  switch (p.kind) {
    case Kind.EQUAL: {
      const node = p.nodeWith(Kind.argument, test);
      p.shift(node);
      p.link(node, parseAsExpression(p));
      return node;
    }
    case Kind.COLONEQUAL: {
      const node = p.nodeWith(Kind.argument, test);
      p.shift(node);
      p.link(node, parseTest(p));
      if (p.is(Kind.KW_FOR) || p.is(Kind.ASYNC)) p.link(node, parseCompFor(p));
      return node;
    }
    case Kind.KW_AS: {
      const node = p.nodeWith(Kind.argument, test);
      p.shift(node);
      p.link(node, parseTest(p));
      return node;
    }
    case Kind.KW_FOR:
    case Kind.ASYNC: {
      const node = p.nodeWith(Kind.argument, test);
      p.link(node, parseCompFor(p));
      return node;
    }
    default:
      return test;
  }
}
