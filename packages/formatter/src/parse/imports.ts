/** Imports (`Grammar.txt`: import_name, import_from, lazy_import). */
import { Kind } from "../syntax/kinds.ts";
import { TokenKind } from "../tokenize/token-kind.ts";
import { names } from "./first-sets.ts";
import type { Parser } from "./parser.ts";

/** `LAZY (import_name | import_from)`. */
export function parseLazyImport(p: Parser): number {
  const node = p.nodeWith(Kind.lazy_import, p.leaf());
  p.link(node, p.is(Kind.KW_FROM) ? parseImportFrom(p) : parseImportName(p));
  return node;
}

/** `'import' dotted_as_names`. */
export function parseImportName(p: Parser): number {
  const node = p.nodeWith(Kind.import_name, p.leaf());
  const first = parseDottedAsName(p);
  if (!p.is(Kind.COMMA)) {
    p.link(node, first);
    return node;
  }
  const list = p.nodeWith(Kind.dotted_as_names, first);
  while (p.is(Kind.COMMA)) {
    p.shift(list);
    p.link(list, parseDottedAsName(p));
  }
  p.link(node, list);
  return node;
}

function parseDottedAsName(p: Parser): number {
  const name = parseDottedName(p);
  return p.is(Kind.KW_AS) ? parseAlias(p, Kind.dotted_as_name, name) : name;
}

function parseAlias(p: Parser, kind: number, name: number): number {
  const node = p.nodeWith(kind, name);
  p.shift(node);
  p.expectName(node);
  return node;
}

function parseDottedName(p: Parser): number {
  const first = p.nameLeaf();
  if (!p.is(Kind.DOT)) return first;
  const node = p.nodeWith(Kind.dotted_name, first);
  while (p.is(Kind.DOT)) {
    p.shift(node);
    p.expectName(node);
  }
  return node;
}

/** `'from' ('.'* dotted_name | '.'+) 'import' ('*' | '(' import_as_names ')' | import_as_names)`. */
export function parseImportFrom(p: Parser): number {
  const node = p.nodeWith(Kind.import_from, p.leaf());
  if (p.is(TokenKind.WHOLE)) {
    p.shift(node);
    return node;
  }
  const firstDot = p.at;
  while (p.is(Kind.DOT)) p.shift(node);
  if (p.at === firstDot || !p.is(Kind.KW_IMPORT)) p.link(node, parseDottedName(p));
  p.expect(node, Kind.KW_IMPORT);
  if (p.is(Kind.STAR)) p.shift(node);
  else if (p.is(Kind.LPAR)) {
    const opening = p.shift(node);
    p.link(node, parseImportAsNames(p));
    p.pair(opening, p.expect(node, Kind.RPAR));
  } else p.link(node, parseImportAsNames(p));
  return node;
}

function parseImportAsNames(p: Parser): number {
  const first = parseImportAsName(p);
  if (!p.is(Kind.COMMA)) return first;
  const list = p.nodeWith(Kind.import_as_names, first);
  while (p.is(Kind.COMMA)) {
    p.shift(list);
    if (names[p.kind] === 0) break;
    p.link(list, parseImportAsName(p));
  }
  return list;
}

function parseImportAsName(p: Parser): number {
  const name = p.nameLeaf();
  return p.is(Kind.KW_AS) ? parseAlias(p, Kind.import_as_name, name) : name;
}
