/** Feature bits that take a look at a finished node (`black/__init__.py` get_features_used). */
import { Feature } from "../mode/target-version.ts";
import { Kind } from "../syntax/kinds.ts";
import { isSimpleDecoratorExpression } from "../syntax/predicates/decorators.ts";
import { NONE, type Tree } from "../syntax/tree.ts";
import type { Parser } from "./parser.ts";

function hasChild(tree: Tree, node: number, kind: number): boolean {
  for (let at = tree.first[node]!; at !== NONE; at = tree.next[at]!) if (tree.kind[at] === kind) return true;
  return false;
}

/** Unpacking in the value of `return` or `yield`. */
export function noteUnpacking(p: Parser, value: number): void {
  if (p.tree.kind[value] === Kind.testlist_star_expr && hasChild(p.tree, value, Kind.star_expr)) {
    p.features |= Feature.UNPACKING_ON_FLOW;
  }
}

/** A comma at the end of an argument or parameter list that unpacks. */
export function noteTrailingComma(p: Parser, list: number): void {
  const { tree } = p;
  if (tree.kind[tree.last[list]!] !== Kind.COMMA) return;
  const feature =
    tree.kind[list] === Kind.arglist ? Feature.TRAILING_COMMA_IN_CALL : Feature.TRAILING_COMMA_IN_DEF;
  for (let at = tree.first[list]!; at !== NONE; at = tree.next[at]!) {
    const unpacks = tree.kind[at] === Kind.argument ? hasStar(tree, at) : isStar(tree.kind[at]!);
    if (unpacks) p.features |= feature;
  }
}

function hasStar(tree: Tree, node: number): boolean {
  return hasChild(tree, node, Kind.STAR) || hasChild(tree, node, Kind.DOUBLESTAR);
}

function isStar(kind: number): boolean {
  return kind === Kind.STAR || kind === Kind.DOUBLESTAR;
}

/** A comprehension whose element is unpacked (`is_unpacking_comprehension`). */
export function noteUnpackingComprehension(p: Parser, display: number): void {
  const kind = p.tree.kind[p.tree.first[display]!]!;
  if (kind === Kind.star_expr || kind === Kind.DOUBLESTAR) p.features |= Feature.UNPACKING_IN_COMPREHENSIONS;
}

/** A star expression between the brackets of a subscript. */
export function noteVariadicSubscript(p: Parser, node: number): void {
  if (hasChild(p.tree, node, Kind.star_expr)) p.features |= Feature.VARIADIC_GENERICS;
}

/** A decorator that is no dotted name or call of one. */
export function noteDecorator(p: Parser, expression: number): void {
  if (!isSimpleDecoratorExpression(p.tree, expression)) p.features |= Feature.RELAXED_DECORATORS;
}

/** Parentheses round all context managers of a `with`. */
export function noteContextManagers(p: Parser, first: number): void {
  const { tree } = p;
  if (tree.kind[first] !== Kind.atom) return;
  const opening = tree.first[first]!;
  const content = tree.next[opening]!;
  if (tree.kind[opening] !== Kind.LPAR || tree.next[content] !== tree.last[first]) return;
  if (containsAsExpression(tree, content)) p.features |= Feature.PARENTHESIZED_CONTEXT_MANAGERS;
}

/** Whether an `as` stands in the node, in parentheses or among their elements (`_contains_asexpr`). */
function containsAsExpression(tree: Tree, id: number): boolean {
  let node = id;
  for (;;) {
    const kind = tree.kind[node];
    if (kind === Kind.asexpr_test) return true;
    if (kind === Kind.testlist_gexp) {
      for (let at = tree.first[node]!; at !== NONE; at = tree.next[at]!) {
        if (containsAsExpression(tree, at)) return true;
      }
      return false;
    }
    if (kind !== Kind.atom || tree.kind[tree.first[node]!] !== Kind.LPAR) return false;
    node = tree.next[tree.first[node]!]!;
    if (tree.next[node] === NONE || tree.kind[tree.next[node]!] !== Kind.RPAR) return false;
  }
}

/** `except*`, and exception types without parentheses. */
export function noteExcept(p: Parser, clause: number): void {
  const { tree } = p;
  let types = tree.next[tree.first[clause]!]!;
  if (tree.kind[types] === Kind.STAR) {
    p.features |= Feature.EXCEPT_STAR;
    types = tree.next[types]!;
  }
  if (types === NONE || tree.kind[types] !== Kind.testlist) return;
  if (tree.next[types] === NONE) p.features |= Feature.UNPARENTHESIZED_EXCEPT_TYPES;
}
