/** String literals, side by side and interpolated (`Grammar.txt`: atom, fstring, tstring). */
import { Feature } from "../mode/target-version.ts";
import { Kind } from "../syntax/kinds.ts";
import { testDescendants } from "../syntax/predicates/operators.ts";
import { TextFlag, type Tree } from "../syntax/tree.ts";
import { parseTestListStar, parseYield } from "./expressions.ts";
import type { Parser } from "./parser.ts";

/** One or more string literals; several are an atom. */
export function parseStrings(p: Parser): number {
  const first = parseString(p);
  if (!p.is(Kind.STRING) && !p.is(Kind.FSTRING_START)) return first;
  const node = p.nodeWith(Kind.atom, first);
  while (p.is(Kind.STRING) || p.is(Kind.FSTRING_START)) p.link(node, parseString(p));
  return node;
}

function parseString(p: Parser): number {
  return p.is(Kind.STRING) ? p.leaf() : parseInterpolated(p);
}

/**
 * An f-string or t-string as one STRING leaf (Black: `fstring_tstring_to_string`). Its fields are parsed, for errors
 * and for features, and their nodes dropped again, unless the parser keeps parts.
 */
function parseInterpolated(p: Parser): number {
  const { tree } = p;
  const leaf = p.leaf();
  const node = parseParts(p, leaf);
  if (p.keepsParts) return node;
  const end = tree.end[tree.last[node]!]!;
  const held = flagsOfFields(tree, leaf + 1);
  const changed = changedText(tree, leaf, node);
  tree.remove(leaf);
  tree.truncate(leaf + 1);
  tree.end[leaf] = end;
  if (changed !== undefined) tree.setText(leaf, changed);
  tree.textFlags[leaf] = TextFlag.INTERPOLATED | held | textFlagsOf(tree.source, tree.start[leaf]!, end);
  return leaf;
}

/** The string's text where blib2to3 loses some of what stands between the tokens of a field. */
function changedText(tree: Tree, opening: number, node: number): string | undefined {
  for (let id = opening + 1; ; id++) {
    if (id === tree.count) return undefined;
    if (!tree.isSourcePrefix(id) || !tree.isSourceText(id)) break;
  }
  const [first, ...others] = tree.leaves(node);
  return tree.text(first!) + others.map((leaf) => tree.prefix(leaf) + tree.text(leaf)).join("");
}

/** What follows the leaf that opens the string, and a node for all of it. */
function parseParts(p: Parser, opening: number): number {
  const { tree } = p;
  const node = p.nodeWith(Kind.fstring, opening);
  if (p.keepsParts) tree.kind[opening] = Kind.FSTRING_START;
  while (!p.is(Kind.FSTRING_END)) {
    if (p.is(Kind.FSTRING_MIDDLE)) shiftText(p, node);
    else p.link(node, parseField(p));
  }
  p.shift(node);
  return node;
}

function shiftText(p: Parser, node: number): void {
  const { tree } = p;
  const leaf = p.shift(node);
  tree.textFlags[leaf] = textFlagsOf(tree.source, tree.start[leaf]!, tree.end[leaf]!);
}

/** Which kinds of expressions there are from the id on, be it in a string within a field, as `TextFlag`s. */
function flagsOfFields(tree: Tree, from: number): number {
  let flags = 0;
  for (let id = from; id < tree.count; id++) {
    if (testDescendants[tree.kind[id]!] !== 0) flags |= TextFlag.HOLDS_EXPRESSION;
    if (tree.kind[id] === Kind.COLONEQUAL) flags |= TextFlag.HOLDS_WALRUS;
    flags |= tree.textFlags[id]! & (TextFlag.HOLDS_EXPRESSION | TextFlag.HOLDS_WALRUS);
  }
  return flags;
}

/** A replacement field. */
function parseField(p: Parser): number {
  const node = p.tree.addNode(Kind.fstring_replacement_field);
  const opening = p.expect(node, Kind.LBRACE);
  p.link(node, p.is(Kind.KW_YIELD) ? parseYield(p) : parseTestListStar(p));
  if (p.is(Kind.EQUAL)) {
    p.features |= Feature.DEBUG_F_STRINGS;
    p.shift(node);
  }
  if (p.is(Kind.BANG)) {
    p.shift(node);
    p.expectName(node);
  }
  if (p.is(Kind.COLON)) p.shift(node);
  // Without a colon as well: pgen makes the colon alone optional in `[':' spec*]`.
  while (p.is(Kind.FSTRING_MIDDLE) || p.is(Kind.LBRACE)) {
    if (p.is(Kind.LBRACE)) p.link(node, parseField(p));
    else shiftText(p, node);
  }
  p.pair(opening, p.expect(node, Kind.RBRACE));
  return node;
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
