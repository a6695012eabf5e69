/** Statements and their bodies (`linegen.py` visit_stmt, visit_match_case, visit_suite, visit_simple_stmt). */
import { type KindSet, kindSet } from "../../syntax/kind-set.ts";
import { Kind } from "../../syntax/kinds.ts";
import { wrapInParentheses } from "../../syntax/parentheses.ts";
import { isArithLike } from "../../syntax/predicates/operators.ts";
import {
  isParentFunctionOrClass,
  isStubBody,
  isStubSuite,
  statements,
} from "../../syntax/predicates/statements.ts";
import { NONE, TextFlag } from "../../syntax/tree.ts";
import { normalizeInvisibleParens } from "../parentheses/normalize.ts";
import { emitVerbatimHeader } from "./verbatim.ts";
import { visitChildrenInPlace, visitInPlace } from "./visit-in-place.ts";
import type { Generation, Visitor } from "./visitor.ts";

/**
 * The rule of a statement: `keywords` begin lines, optional parentheses follow the kinds in `parens`. As in Black the
 * parentheses come before any child is visited, because they may move the children: what is first need not be the
 * keyword, but a comment that a pair of directives has made (`comments.py` convert_one_fmt_off_pair). Only a header
 * that is printed as it stands needs none; then those of the headers behind it come with the first of these that is not.
 */
export function statement(keywords: readonly number[], parens: readonly number[]): Visitor {
  const begins = kindSet(keywords);
  const after = kindSet(parens);
  return (generator, node) => {
    const { tree } = generator;
    let isNormalized = (tree.textFlags[tree.firstLeaf(node)]! & TextFlag.VERBATIM) === 0;
    if (isNormalized) normalizeInvisibleParens(generator, node, after);
    for (let child = tree.first[node]!; child !== NONE; ) {
      const colon = emitVerbatimHeader(generator, child);
      if (colon !== NONE) {
        child = tree.next[colon]!;
        continue;
      }
      if (!isNormalized && begins[tree.kind[child]!] !== 0) {
        normalizeInvisibleParens(generator, node, after);
        isNormalized = true;
      }
      if (begins[tree.kind[child]!] !== 0) generator.line();
      child = visitInPlace(generator, node, child);
    }
  };
}

/** The rule of a statement without keywords that begin a line. */
export function prepareOperands(parensAfter: KindSet): Visitor {
  return (generator, node) => normalizeInvisibleParens(generator, node, parensAfter);
}

const nothing = kindSet([]);

export function visitMatchOrCase(generator: Generation, node: number): void {
  normalizeInvisibleParens(generator, node, nothing);
  generator.line();
  visitChildrenInPlace(generator, node);
}

/** Of a stub's body only the `...` is visited, so that it stays on the line of its definition. */
export function visitSuite(generator: Generation, node: number): void {
  const { tree } = generator;
  if (!isStubSuite(tree, node)) {
    generator.visitDefault(node);
    return;
  }
  const newline = tree.first[node]!;
  generator.visit(tree.next[tree.next[newline]!]!);
}

export function visitSimpleStatement(generator: Generation, node: number): void {
  const { tree } = generator;
  const first = tree.firstLeaf(node);
  if ((tree.textFlags[first]! & TextFlag.VERBATIM) !== 0) {
    if (generator.emitVerbatim(first, first, tree.start[tree.last[node]!]!)) return;
  }
  wrapArithmetic(generator, node);
  const parent = tree.parent[node]!;
  if (parent !== NONE && statements[tree.kind[parent]!] !== 0) {
    if (isParentFunctionOrClass(tree, node) && isStubBody(tree, node)) {
      visitChildrenInPlace(generator, node);
    } else {
      generator.line(+1);
      visitChildrenInPlace(generator, node);
      generator.line(-1);
    }
    return;
  }
  if (parent !== NONE && tree.kind[parent] === Kind.suite && isStubSuite(tree, parent)) {
    tree.setPrefix(node, "");
  } else {
    generator.line();
  }
  visitChildrenInPlace(generator, node);
}

/** Invisible parentheses go round a sum, shift or bitwise expression that is a statement. */
function wrapArithmetic(generator: Generation, node: number): void {
  const { tree } = generator;
  for (let child = tree.first[node]!, starts = true; child !== NONE; ) {
    const next = tree.next[child]!;
    const kind = tree.kind[child]!;
    if (starts && isArithLike(kind)) wrapInParentheses(tree, child, false);
    starts = kind === Kind.SEMI;
    child = next;
  }
}
