import { Kind as K } from "../../syntax/kinds.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";
import { describeExpression, withoutParentheses } from "./describe-expression.ts";
import { lineOf } from "./line-of.ts";
import { SourceSyntaxError } from "./source-syntax-error.ts";

/** Checks what stands left of `=`, `+=` and `:` in an assignment. */
export function checkAssignment(tree: Tree, id: number): void {
  const first = tree.first[id]!;
  const second = tree.next[first]!;
  const kind = tree.kind[second]!;
  if (kind === K.annassign) checkAnnotated(tree, first);
  else if (kind === K.EQUAL) {
    for (let target = first; tree.next[target] !== NONE; target = tree.next[tree.next[target]!]!)
      checkTarget(tree, target, "assign to");
  } else checkSimple(tree, first);
}

/** Checks a target of an assignment, a loop, a `with` item or a `del`; `verb` completes "cannot ...". */
export function checkTarget(tree: Tree, start: number, verb: "assign to" | "delete"): void {
  if (tree.kind[start] === K.NAME) return;
  const id = withoutParentheses(tree, start);
  const what = describeExpression(tree, id);
  if (what === "name" || what === "attribute" || what === "subscript") return;
  if (what === "starred" && verb === "assign to") {
    checkTarget(tree, tree.last[id]!, verb);
    return;
  }
  if (what === "tuple" || what === "list") {
    for (const member of membersOf(tree, id)) checkTarget(tree, member, verb);
    return;
  }
  throw new SourceSyntaxError(`cannot ${verb} ${what}`, lineOf(tree, id));
}

/** Elements of a tuple or list, in brackets or bare. */
function membersOf(tree: Tree, id: number): number[] {
  if (tree.kind[id] !== K.atom) return tree.children(id).filter((child) => tree.kind[child] !== K.COMMA);
  const inner = tree.next[tree.first[id]!]!;
  if (tree.next[inner] === NONE) return [];
  const isList = tree.kind[inner] === K.testlist_gexp || tree.kind[inner] === K.listmaker;
  return isList ? tree.children(inner).filter((child) => tree.kind[child] !== K.COMMA) : [inner];
}

function checkAnnotated(tree: Tree, target: number): void {
  const what = describeExpression(tree, target);
  const isSingle = what === "name" || what === "attribute" || what === "subscript";
  if (isSingle && !startsWithSingleTarget(tree, target)) return;
  const isGroup = what === "tuple" || what === "list";
  const message = isGroup
    ? `only single target (not ${what}) can be annotated`
    : "illegal target for annotation";
  throw new SourceSyntaxError(message, lineOf(tree, target));
}

/** A target in parentheses is taken for the whole of it: `(x).y: int` is none. */
function startsWithSingleTarget(tree: Tree, target: number): boolean {
  const first = tree.first[target]!;
  if (tree.kind[target] !== K.power || tree.kind[first] !== K.atom) return false;
  const what = describeExpression(tree, first);
  return what === "name" || what === "attribute" || what === "subscript";
}

function checkSimple(tree: Tree, target: number): void {
  const what = describeExpression(tree, target);
  if (what === "name" || what === "attribute" || what === "subscript") return;
  throw new SourceSyntaxError(
    `'${what}' is an illegal expression for augmented assignment`,
    lineOf(tree, target),
  );
}

/** The left side of `:=` must be a bare name, be it in an expression, an argument or a subscript. */
export function checkNamedExpression(tree: Tree, operator: number): void {
  const target = tree.prev[operator]!;
  if (tree.kind[target] === K.NAME) return;
  const what = describeExpression(tree, target);
  throw new SourceSyntaxError(`cannot use assignment expressions with ${what}`, lineOf(tree, target));
}
