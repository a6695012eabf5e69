/** Statements, compound ones and suites (`Grammar.txt`: file_input, stmt, compound_stmt, suite). */
import { Kind } from "../syntax/kinds.ts";
import { TokenKind } from "../tokenize/token-kind.ts";
import { parseClass, parseDecorated, parseFunction } from "./definitions.ts";
import {
  parseAsExpression,
  parseExprList,
  parseNamedExpression,
  parseTest,
  parseTestList,
  parseTestListStar,
} from "./expressions.ts";
import { noteContextManagers, noteExcept } from "./feature-notes.ts";
import { startsTest } from "./first-sets.ts";
import { parseMatch } from "./match-statement.ts";
import type { Parser } from "./parser.ts";
import { parseSimpleStatement } from "./simple-statements.ts";
import { isMatchStatement } from "./soft-keywords.ts";

/** `file_input: (NEWLINE | stmt)* ENDMARKER`. */
export function parseFile(p: Parser): number {
  const node = p.tree.addNode(Kind.file_input);
  while (!p.is(Kind.ENDMARKER)) {
    if (p.is(Kind.NEWLINE)) p.shift(node);
    else p.link(node, parseStatement(p));
  }
  p.shift(node);
  return node;
}

function parseStatement(p: Parser): number {
  switch (p.kind) {
    case TokenKind.WHOLE:
      return parseWhole(p);
    case Kind.KW_IF:
      return parseIf(p);
    case Kind.KW_FOR:
      return parseFor(p);
    case Kind.KW_DEF:
      return parseFunction(p);
    case Kind.KW_CLASS:
      return parseClass(p);
    case Kind.KW_TRY:
      return parseTry(p);
    case Kind.KW_WITH:
      return parseWith(p);
    case Kind.KW_WHILE:
      return parseWhile(p);
    case Kind.AT:
      return parseDecorated(p);
    case Kind.ASYNC:
      return parseAsync(p);
    case Kind.KW_MATCH:
      return isMatchStatement(p) ? parseMatch(p) : parseSimpleStatement(p);
    default:
      return parseSimpleStatement(p);
  }
}

/** A simple statement without tokens of its own. */
function parseWhole(p: Parser): number {
  const node = p.nodeWith(Kind.simple_stmt, p.leaf());
  p.expect(node, Kind.NEWLINE);
  return node;
}

/** `suite: simple_stmt | NEWLINE INDENT stmt+ DEDENT`. */
export function parseSuite(p: Parser): number {
  if (!p.is(Kind.NEWLINE)) return parseSimpleStatement(p);
  const node = p.nodeWith(Kind.suite, p.leaf());
  p.expect(node, Kind.INDENT);
  do p.link(node, parseStatement(p));
  while (!p.is(Kind.DEDENT));
  p.shift(node);
  return node;
}

function linkSuite(p: Parser, node: number): void {
  p.expect(node, Kind.COLON);
  p.link(node, parseSuite(p));
}

function linkElse(p: Parser, node: number): void {
  if (!p.is(Kind.KW_ELSE)) return;
  p.shift(node);
  linkSuite(p, node);
}

function parseIf(p: Parser): number {
  const node = p.nodeWith(Kind.if_stmt, p.leaf());
  p.link(node, parseNamedExpression(p));
  linkSuite(p, node);
  while (p.is(Kind.KW_ELIF)) {
    p.shift(node);
    p.link(node, parseNamedExpression(p));
    linkSuite(p, node);
  }
  linkElse(p, node);
  return node;
}

function parseWhile(p: Parser): number {
  const node = p.nodeWith(Kind.while_stmt, p.leaf());
  p.link(node, parseNamedExpression(p));
  linkSuite(p, node);
  linkElse(p, node);
  return node;
}

function parseFor(p: Parser): number {
  const node = p.nodeWith(Kind.for_stmt, p.leaf());
  if (p.is(TokenKind.WHOLE)) p.shift(node);
  else {
    p.link(node, parseExprList(p));
    p.expect(node, Kind.KW_IN);
    p.link(node, parseTestListStar(p));
  }
  linkSuite(p, node);
  linkElse(p, node);
  return node;
}

function parseTry(p: Parser): number {
  const node = p.nodeWith(Kind.try_stmt, p.leaf());
  linkSuite(p, node);
  if (p.is(Kind.KW_EXCEPT)) {
    while (p.is(Kind.KW_EXCEPT)) {
      p.link(node, parseExcept(p));
      linkSuite(p, node);
    }
    linkElse(p, node);
    if (!p.is(Kind.KW_FINALLY)) return node;
  }
  p.expect(node, Kind.KW_FINALLY);
  linkSuite(p, node);
  return node;
}

/** `except_clause: 'except' ['*'] [testlist ['as' test]]`; the keyword alone is a leaf. */
function parseExcept(p: Parser): number {
  const keyword = p.leaf();
  if (p.is(Kind.COLON)) return keyword;
  const node = p.nodeWith(Kind.except_clause, keyword);
  if (p.is(Kind.STAR)) p.shift(node);
  if (startsTest[p.kind] === 1) {
    p.link(node, parseTestList(p));
    if (p.is(Kind.KW_AS)) {
      p.shift(node);
      p.link(node, parseTest(p));
    }
  }
  if (p.tree.first[node] === p.tree.last[node]) p.fail();
  noteExcept(p, node);
  return node;
}

function parseWith(p: Parser): number {
  const node = p.nodeWith(Kind.with_stmt, p.leaf());
  const first = parseAsExpression(p);
  p.link(node, first);
  noteContextManagers(p, first);
  while (p.is(Kind.COMMA)) {
    p.shift(node);
    p.link(node, parseAsExpression(p));
  }
  linkSuite(p, node);
  return node;
}

/** `async_stmt: ASYNC (funcdef | with_stmt | for_stmt)`. */
function parseAsync(p: Parser): number {
  const node = p.nodeWith(Kind.async_stmt, p.leaf());
  if (p.is(Kind.KW_DEF)) p.link(node, parseFunction(p));
  else if (p.is(Kind.KW_WITH)) p.link(node, parseWith(p));
  else if (p.is(Kind.KW_FOR)) p.link(node, parseFor(p));
  else p.fail();
  return node;
}
