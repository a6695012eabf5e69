import { Kind as K } from "../../syntax/kinds.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";
import { literalText } from "../literals/parts-of-literal.ts";
import { splitLiteral } from "../literals/split-literal.ts";
import { isComprehension } from "../lowering/lower.ts";

/** The expression inside redundant parentheses; a tuple, a generator and `()` are not redundant. */
export function withoutParentheses(tree: Tree, id: number): number {
  let at = id;
  while (tree.kind[at] === K.atom && tree.kind[tree.first[at]!] === K.LPAR) {
    const inner = tree.next[tree.first[at]!]!;
    if (tree.next[inner] === NONE || tree.kind[inner] === K.testlist_gexp) return at;
    at = inner;
  }
  return at;
}

/** What Python's messages call an expression that stands where it may not. */
export function describeExpression(tree: Tree, start: number): string {
  const id = withoutParentheses(tree, start);
  switch (tree.kind[id]) {
    case K.KW_TRUE:
    case K.KW_FALSE:
    case K.KW_NONE:
      return tree.text(id);
    case K.NUMBER:
      return "literal";
    case K.STRING:
    case K.fstring:
      return describeString(tree, id);
    case K.NAME:
      return "name";
    case K.DOT:
      return "ellipsis";
    case K.atom:
      return describeAtom(tree, id);
    case K.power:
      return describePower(tree, id);
    case K.comparison:
      return "comparison";
    case K.lambdef:
      return "lambda";
    case K.test:
      return "conditional expression";
    case K.yield_expr:
    case K.KW_YIELD:
      return "yield expression";
    case K.namedexpr_test:
      return "named expression";
    case K.star_expr:
      return "starred";
    case K.testlist:
    case K.testlist_star_expr:
    case K.exprlist:
    case K.testlist_gexp:
      return "tuple";
    default:
      return "expression";
  }
}

function describeString(tree: Tree, id: number): string {
  const { interpolation } = splitLiteral(literalText(tree, id));
  return interpolation === "" ? "literal" : `${interpolation}-string expression`;
}

function describeAtom(tree: Tree, id: number): string {
  const first = tree.first[id]!;
  const inner = tree.next[first]!;
  const comprehends = inner !== NONE && isComprehension(tree, inner);
  switch (tree.kind[first]) {
    case K.LPAR:
      return comprehends ? "generator expression" : "tuple";
    case K.LSQB:
      return comprehends ? "list comprehension" : "list";
    case K.LBRACE: {
      const isDict = tree.kind[inner] === K.RBRACE || hasColon(tree, inner);
      if (comprehends) return isDict ? "dict comprehension" : "set comprehension";
      return isDict ? "dict literal" : "set display";
    }
    case K.STRING:
    case K.fstring:
      return describeString(tree, first);
    case K.DOT:
      return "ellipsis";
    default:
      return "expression";
  }
}

function hasColon(tree: Tree, id: number): boolean {
  for (let child = tree.first[id]!; child !== NONE; child = tree.next[child]!)
    if (tree.kind[child] === K.COLON || tree.kind[child] === K.DOUBLESTAR) return true;
  return false;
}

/** A power node without `**` is an attribute, a subscript, a call or an await. */
function describePower(tree: Tree, id: number): string {
  const last = tree.last[id]!;
  if (tree.kind[tree.first[id]!] === K.AWAIT) return "await expression";
  if (tree.kind[last] !== K.trailer) return "expression";
  const opening = tree.kind[tree.first[last]!];
  if (opening === K.DOT) return "attribute";
  return opening === K.LSQB ? "subscript" : "function call";
}
