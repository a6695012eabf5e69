import { Kind as K } from "../../syntax/kinds.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";
import { isComprehension } from "../lowering/lower.ts";
import { isInPattern } from "./check-patterns.ts";
import { withoutParentheses } from "./describe-expression.ts";
import { lineOf } from "./line-of.ts";
import { SourceSyntaxError } from "./source-syntax-error.ts";

/** Checks the arguments between a call's or class's parentheses: their order, keywords and generators. */
export function checkArguments(tree: Tree, first: number): void {
  const isList = tree.kind[first] === K.arglist;
  let keyword = false;
  let unpacking = false;
  for (
    let member = isList ? tree.first[first]! : first;
    member !== NONE;
    member = isList ? tree.next[member]! : NONE
  ) {
    if (tree.kind[member] === K.COMMA) continue;
    const kind = argumentKind(tree, member);
    if (kind === "generator" && isList) reject(tree, member, "Generator expression must be parenthesized");
    if (kind === "star" && unpacking)
      reject(tree, first, "iterable argument unpacking follows keyword argument unpacking");
    if ((kind === "positional" || kind === "generator") && (unpacking || keyword))
      reject(
        tree,
        lastTokenSeen(tree, member),
        `positional argument follows keyword argument${unpacking ? " unpacking" : ""}`,
      );
    if (kind === "double star") unpacking = true;
    if (kind === "keyword") {
      keyword = true;
      const name = tree.first[member]!;
      if (tree.kind[name] !== K.NAME)
        reject(
          tree,
          withoutParentheses(tree, name),
          `expression cannot contain assignment, perhaps you meant "=="?`,
        );
    }
  }
}

/**
 * The last token that CPython's parser looks at before it complains of a positional argument: it goes on as long as the
 * order is right from there (`invalid_arguments`: args ',' args).
 */
function lastTokenSeen(tree: Tree, argument: number): number {
  let keyword = false;
  for (let member = argument; member !== NONE; member = tree.next[member]!) {
    if (tree.kind[member] === K.COMMA) continue;
    const kind = argumentKind(tree, member);
    if (kind === "keyword" || kind === "double star") keyword = true;
    else if (keyword && kind !== "star") {
      const start = tree.firstLeaf(member);
      return tree.kind[start] === K.NAME ? tree.nextLeaf(start) : start;
    }
  }
  return tree.nextLeaf(tree.parent[argument]!);
}

function reject(tree: Tree, id: number, message: string): never {
  throw new SourceSyntaxError(message, lineOf(tree, id));
}

function argumentKind(
  tree: Tree,
  id: number,
): "positional" | "star" | "double star" | "keyword" | "generator" {
  if (tree.kind[id] === K.star_expr) return "star";
  if (tree.kind[id] !== K.argument) return "positional";
  const first = tree.first[id]!;
  if (tree.kind[first] === K.STAR) return "star";
  if (tree.kind[first] === K.DOUBLESTAR) return "double star";
  if (isComprehension(tree, id)) return "generator";
  const second = tree.next[first]!;
  if (tree.kind[second] === K.KW_AS && !isInPattern(tree, id)) reject(tree, id, "invalid syntax");
  return second !== NONE && tree.kind[second] === K.EQUAL ? "keyword" : "positional";
}

/** Checks the parameters of a function or lambda: defaults, stars and the slash. */
export function checkParameters(tree: Tree, list: number): void {
  const isList = tree.kind[list] === K.typedargslist || tree.kind[list] === K.varargslist;
  let hasDefault = false;
  let star = false;
  let bareStar = NONE;
  let ended = false;
  let slash = false;
  let next = NONE;
  for (let child = isList ? tree.first[list]! : list; child !== NONE; child = next) {
    next = isList ? tree.next[child]! : NONE;
    const kind = tree.kind[child]!;
    if (kind === K.tfpdef || kind === K.vfpdef || kind === K.LPAR)
      reject(tree, child, "Function parameters cannot be parenthesized");
    if (kind === K.DOUBLESTAR) ended = true;
    else if (kind === K.STAR) {
      if (star) reject(tree, child, "* argument may appear only once");
      star = true;
      if (next === NONE || tree.kind[next] === K.COMMA) bareStar = child;
    } else if (kind === K.SLASH) {
      if (slash) reject(tree, child, "/ may appear only once");
      if (star) reject(tree, child, "/ must be ahead of *");
      slash = true;
    } else if (kind === K.NAME || kind === K.tname || kind === K.tname_star) {
      const previous = isList ? tree.prev[child]! : NONE;
      const isOrdinary = previous === NONE || tree.kind[previous] === K.COMMA;
      if (!isOrdinary) continue;
      if (ended) reject(tree, child, "arguments cannot follow var-keyword argument");
      bareStar = NONE;
      if (next !== NONE && tree.kind[next] === K.EQUAL) hasDefault = true;
      else if (hasDefault && !star)
        reject(tree, child, "parameter without a default follows parameter with a default");
    }
  }
  if (bareStar !== NONE) reject(tree, bareStar, "named arguments must follow bare *");
}
