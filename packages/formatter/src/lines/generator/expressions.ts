/** Operators, calls and atoms (`linegen.py` visit_test, visit_power, visit_factor, visit_atom). */
import { hasPreview } from "../../mode/mode.ts";
import { Preview } from "../../mode/preview.ts";
import { Kind } from "../../syntax/kinds.ts";
import { makeLpar, makeRpar, movePrefix, wrapInParentheses } from "../../syntax/parentheses.ts";
import { isGenerator } from "../../syntax/predicates/atoms.ts";
import { prevKind } from "../../syntax/predicates/family.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";
import { removeAwaitParens } from "../parentheses/await.ts";
import { hasRedundantGeneratorParentheses } from "../parentheses/generators.ts";
import { maybeMakeParensInvisibleInAtom, ParenOption } from "../parentheses/make-invisible.ts";
import type { Generation } from "./visitor.ts";

/** Invisible parentheses become the first and last child of a conditional expression that has none round it. */
export function prepareTest(generator: Generation, node: number): void {
  const { tree } = generator;
  if (prevKind(tree, node) === Kind.LPAR) return;
  const opening = makeLpar(tree, false);
  movePrefix(tree, node, opening);
  tree.insertBefore(node, tree.first[node]!, opening);
  tree.append(node, makeRpar(tree, false));
}

export function preparePower(generator: Generation, node: number): void {
  const { tree, features } = generator;
  for (let child = tree.first[node]!; child !== NONE; ) {
    const next = tree.next[child]!;
    if (
      tree.kind[child] === Kind.NUMBER &&
      next !== NONE &&
      isAttribute(tree, next) &&
      isDecimal(tree.text(child))
    ) {
      wrapInParentheses(tree, child, true);
    }
    child = next;
  }
  if (hasPreview(generator.mode, Preview.remove_redundant_generator_parentheses)) {
    removeGeneratorParens(generator, node);
  }
  removeAwaitParens(tree, node, features);
}

function isAttribute(tree: Tree, node: number): boolean {
  return tree.kind[node] === Kind.trailer && tree.kind[tree.first[node]!] === Kind.DOT;
}

/** Neither hexadecimal, octal, binary nor complex. */
function isDecimal(literal: string): boolean {
  const second = literal.charCodeAt(1) | 0x20;
  if (literal.startsWith("0") && (second === 0x78 || second === 0x62 || second === 0x6f)) return false;
  return !literal.includes("j") && !literal.includes("J");
}

/** Preview: the parentheses of a generator that is a call's only argument. */
function removeGeneratorParens(generator: Generation, power: number): void {
  const { tree, features } = generator;
  for (let trailer = tree.first[power]!; trailer !== NONE; trailer = tree.next[trailer]!) {
    if (tree.kind[trailer] !== Kind.trailer || tree.childCount(trailer) !== 3) continue;
    const argument = tree.next[tree.first[trailer]!]!;
    if (tree.kind[tree.first[trailer]!] !== Kind.LPAR || tree.kind[tree.last[trailer]!] !== Kind.RPAR)
      continue;
    if (!isGenerator(tree, argument) && !hasRedundantGeneratorParentheses(tree, argument)) continue;
    maybeMakeParensInvisibleInAtom(tree, argument, trailer, features, ParenOption.REMOVE_GENERATOR_PARENS);
  }
}

/** `-x ** y` becomes `-(x ** y)`. */
export function prepareFactor(generator: Generation, node: number): void {
  const { tree } = generator;
  const operand = tree.last[node]!;
  if (tree.kind[operand] !== Kind.power || tree.childCount(operand) !== 3) return;
  if (tree.kind[tree.next[tree.first[operand]!]!] !== Kind.DOUBLESTAR) return;
  const atom = tree.addNode(Kind.atom);
  tree.replace(operand, atom);
  tree.append(atom, makeLpar(tree, true));
  tree.append(atom, operand);
  tree.append(atom, makeRpar(tree, true));
}

/** Redundant parentheses round the only element of a list or set. */
export function prepareAtom(generator: Generation, node: number): void {
  const { tree, features } = generator;
  if (
    hasPreview(generator.mode, Preview.remove_redundant_generator_parentheses) &&
    hasRedundantGeneratorParentheses(tree, node)
  ) {
    const parent = tree.parent[node]!;
    maybeMakeParensInvisibleInAtom(tree, node, parent === NONE ? node : parent, features);
  }
  const first = tree.kind[tree.first[node]!];
  if (first !== Kind.LSQB && first !== Kind.LBRACE) return;
  const element = tree.next[tree.first[node]!]!;
  if (element === NONE || tree.kind[element] !== Kind.atom || tree.next[element] !== tree.last[node]) return;
  maybeMakeParensInvisibleInAtom(tree, element, node, features);
}
