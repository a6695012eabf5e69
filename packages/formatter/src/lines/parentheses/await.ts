/** Parentheses after `await` (`linegen.py` remove_await_parens). */
import { Kind } from "../../syntax/kinds.ts";
import { ensureVisible, wrapInParentheses } from "../../syntax/parentheses.ts";
import { NONE, TextFlag, type Tree } from "../../syntax/tree.ts";
import { maybeMakeParensInvisibleInAtom, ParenOption } from "./make-invisible.ts";

/** Hides the parentheses after `await`, unless precedence needs them; nested ones are hidden anyway. */
export function removeAwaitParens(tree: Tree, power: number, features: number): void {
  const awaitLeaf = tree.first[power]!;
  if (tree.kind[awaitLeaf] !== Kind.AWAIT) return;
  const operand = tree.next[awaitLeaf]!;
  if (operand === NONE || tree.kind[operand] !== Kind.atom) return;
  if (tree.kind[tree.first[operand]!] !== Kind.LPAR) return;
  const option = ParenOption.REMOVE_BRACKETS_AROUND_COMMA;
  if (maybeMakeParensInvisibleInAtom(tree, operand, power, features, option)) {
    wrapInParentheses(tree, operand, false);
  }
  const atom = tree.next[awaitLeaf]!;
  const opening = tree.first[atom]!;
  const content = tree.next[opening]!;
  if (isPlainLeaf(tree, content) || isPlainPower(tree, content)) return;
  ensureVisible(tree, opening);
  ensureVisible(tree, tree.last[atom]!);
}

/** One token. An interpolated string is a node of its parts at this point in Black, and so keeps its parentheses. */
function isPlainLeaf(tree: Tree, node: number): boolean {
  return tree.isLeaf(node) && (tree.textFlags[node]! & TextFlag.INTERPOLATED) === 0;
}

/** Names, calls and attributes that bind as tightly as `await` does: no `await`, no `**`. */
function isPlainPower(tree: Tree, node: number): boolean {
  if (tree.kind[node] !== Kind.power || tree.kind[tree.first[node]!] === Kind.AWAIT) return false;
  for (let child = tree.first[node]!; child !== NONE; child = tree.next[child]!) {
    if (tree.kind[child] === Kind.DOUBLESTAR) return false;
  }
  return true;
}
