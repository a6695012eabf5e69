/** Functions, classes and their decorators (`Grammar.txt`: funcdef, classdef, decorated, async_funcdef). */
import { Kind } from "../syntax/kinds.ts";
import { TokenKind } from "../tokenize/token-kind.ts";
import { finishArguments } from "./arguments.ts";
import { parseNamedExpression, parseTest } from "./expressions.ts";
import { noteDecorator } from "./feature-notes.ts";
import { parseParameters } from "./parameters.ts";
import type { Parser } from "./parser.ts";
import { parseSuite } from "./statements.ts";
import { parseTypeParameters } from "./type-parameters.ts";

/** `'def' NAME [typeparams] parameters ['->' test] ':' suite`. */
export function parseFunction(p: Parser): number {
  const node = p.nodeWith(Kind.funcdef, p.leaf());
  if (p.is(TokenKind.WHOLE)) p.shift(node);
  else linkSignature(p, node);
  p.expect(node, Kind.COLON);
  p.link(node, parseSuite(p));
  return node;
}

function linkSignature(p: Parser, node: number): void {
  p.expectName(node);
  if (p.is(Kind.LSQB)) p.link(node, parseTypeParameters(p));
  p.link(node, parseParameters(p));
  if (p.is(Kind.RARROW)) {
    p.shift(node);
    p.link(node, parseTest(p));
  }
}

/** `'class' NAME [typeparams] ['(' [arglist] ')'] ':' suite`. */
export function parseClass(p: Parser): number {
  const node = p.nodeWith(Kind.classdef, p.leaf());
  p.expectName(node);
  if (p.is(Kind.LSQB)) p.link(node, parseTypeParameters(p));
  if (p.is(Kind.LPAR)) finishArguments(p, node, p.shift(node));
  p.expect(node, Kind.COLON);
  p.link(node, parseSuite(p));
  return node;
}

/** `decorators (classdef | funcdef | async_funcdef)`. */
export function parseDecorated(p: Parser): number {
  const first = parseDecorator(p);
  let decorators = first;
  if (p.is(Kind.AT)) {
    decorators = p.nodeWith(Kind.decorators, first);
    while (p.is(Kind.AT)) p.link(decorators, parseDecorator(p));
  }
  const node = p.nodeWith(Kind.decorated, decorators);
  p.link(node, parseDefinition(p));
  return node;
}

function parseDecorator(p: Parser): number {
  const node = p.nodeWith(Kind.decorator, p.leaf());
  const expression = parseNamedExpression(p);
  p.link(node, expression);
  noteDecorator(p, expression);
  p.expect(node, Kind.NEWLINE);
  return node;
}

function parseDefinition(p: Parser): number {
  if (p.is(Kind.KW_CLASS)) return parseClass(p);
  if (p.is(Kind.KW_DEF)) return parseFunction(p);
  if (!p.is(Kind.ASYNC)) p.fail();
  const node = p.nodeWith(Kind.async_funcdef, p.leaf());
  if (!p.is(Kind.KW_DEF)) p.fail();
  p.link(node, parseFunction(p));
  return node;
}
