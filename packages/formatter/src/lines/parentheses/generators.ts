/** Parentheses round generators, lambdas and conditional expressions (`linegen.py`). */
import { Kind } from "../../syntax/kinds.ts";
import { isGenerator, unwrapSingletonParenthesis } from "../../syntax/predicates/atoms.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";

/** What a pair of parentheses holds; `NONE` for any other node. */
function parenthesized(tree: Tree, id: number): number {
  return tree.kind[id] === Kind.atom ? unwrapSingletonParenthesis(tree, id) : NONE;
}

/** Parentheses, any number of them, round a parenthesised generator (`_has_redundant_generator_parentheses`). */
export function hasRedundantGeneratorParentheses(tree: Tree, id: number): boolean {
  for (let middle = parenthesized(tree, id); middle !== NONE; middle = parenthesized(tree, middle)) {
    if (isGenerator(tree, middle)) return true;
  }
  return false;
}

/** A lambda or conditional expression in any number of parentheses (`_is_parenthesized_lambda_or_ternary`). */
export function isParenthesizedLambdaOrTernary(tree: Tree, id: number): boolean {
  for (let middle = parenthesized(tree, id); middle !== NONE; middle = parenthesized(tree, middle)) {
    const kind = tree.kind[middle];
    if (kind === Kind.test || kind === Kind.lambdef) return true;
  }
  return false;
}
