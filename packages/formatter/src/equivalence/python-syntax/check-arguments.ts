import { Kind } from "../../syntax/kinds.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";
import { isComprehension } from "../lowering/lower.ts";
import { lineOf } from "./line-of.ts";
import { SourceSyntaxError } from "./source-syntax-error.ts";

const K = Kind;

/** Checks the arguments between a call's or class's parentheses: their order, keywords and generators. */
export function checkArguments(tree: Tree, first: number): void {
  const members = tree.kind[first] === K.arglist ? tree.children(first) : [first];
  let keyword = false;
  let unpacking = false;
  for (const member of members) {
    if (tree.kind[member] === K.COMMA) continue;
    const kind = argumentKind(tree, member);
    const line = lineOf(tree, member);
    if (kind === "generator" && members.length > 1)
      throw new SourceSyntaxError("Generator expression must be parenthesized", line);
    if (kind === "star" && unpacking)
      throw new SourceSyntaxError("iterable argument unpacking follows keyword argument unpacking", line);
    if ((kind === "positional" || kind === "generator") && (unpacking || keyword))
      throw new SourceSyntaxError(
        `positional argument follows keyword argument${unpacking ? " unpacking" : ""}`,
        line,
      );
    if (kind === "double star") unpacking = true;
    if (kind === "keyword") {
      keyword = true;
      const name = tree.first[member]!;
      if (tree.kind[name] !== K.NAME)
        throw new SourceSyntaxError(`expression cannot contain assignment, perhaps you meant "=="?`, line);
    }
  }
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
  if (tree.kind[second] === K.KW_AS) throw new SourceSyntaxError("invalid syntax", lineOf(tree, id));
  return second !== NONE && tree.kind[second] === K.EQUAL ? "keyword" : "positional";
}

/** Checks the parameters of a function or lambda: defaults, stars and the slash. */
export function checkParameters(tree: Tree, list: number): void {
  const isList = tree.kind[list] === K.typedargslist || tree.kind[list] === K.varargslist;
  const children = isList ? tree.children(list) : [list];
  let hasDefault = false;
  let star = false;
  let bareStar = NONE;
  let ended = false;
  let slash = false;
  children.forEach((child, index) => {
    const kind = tree.kind[child]!;
    const line = lineOf(tree, child);
    const previous = index === 0 ? K.COMMA : tree.kind[children[index - 1]!]!;
    if (kind === K.tfpdef || kind === K.vfpdef || kind === K.LPAR)
      throw new SourceSyntaxError("Function parameters cannot be parenthesized", line);
    if (kind === K.DOUBLESTAR) ended = true;
    else if (kind === K.STAR) {
      if (star) throw new SourceSyntaxError("* argument may appear only once", line);
      star = true;
      const next = children[index + 1];
      if (next === undefined || tree.kind[next] === K.COMMA) bareStar = child;
    } else if (kind === K.SLASH) {
      if (slash) throw new SourceSyntaxError("/ may appear only once", line);
      if (star) throw new SourceSyntaxError("/ must be ahead of *", line);
      slash = true;
    } else if (kind === K.NAME || kind === K.tname || kind === K.tname_star) {
      const isOrdinary = previous === K.COMMA;
      if (!isOrdinary) return;
      if (ended) throw new SourceSyntaxError("arguments cannot follow var-keyword argument", line);
      bareStar = NONE;
      const next = children[index + 1];
      const hasOwn = next !== undefined && tree.kind[next] === K.EQUAL;
      if (hasOwn) hasDefault = true;
      else if (hasDefault && !star)
        throw new SourceSyntaxError("parameter without a default follows parameter with a default", line);
    }
  });
  if (bareStar !== NONE)
    throw new SourceSyntaxError("named arguments must follow bare *", lineOf(tree, bareStar));
}
