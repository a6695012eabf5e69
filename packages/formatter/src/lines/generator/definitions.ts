/** Functions, parameters and decorators (`linegen.py` visit_funcdef, visit_tname, visit_decorators, visit_async_stmt). */
import { Kind } from "../../syntax/kinds.ts";
import { wrapInParentheses } from "../../syntax/parentheses.ts";
import { NONE, TextFlag } from "../../syntax/tree.ts";
import { maybeMakeParensInvisibleInAtom } from "../parentheses/make-invisible.ts";
import { emitVerbatimHeader } from "./verbatim.ts";
import type { Generation } from "./visitor.ts";

/** Invisible parentheses go round the return annotation. */
export function visitFunctionDefinition(generator: Generation, node: number): void {
  const { tree } = generator;
  const colon = emitVerbatimHeader(generator, tree.first[node]!);
  if (colon !== NONE) {
    generator.visit(tree.next[colon]!);
    return;
  }
  generator.line();
  for (let child = tree.first[node]!; child !== NONE; child = tree.next[child]!) {
    if (tree.kind[child] !== Kind.RARROW) continue;
    const annotation = tree.next[child]!;
    if (annotation !== NONE) prepareReturnAnnotation(generator, node, annotation);
  }
  for (let child = tree.first[node]!; child !== NONE; child = tree.next[child]!) generator.visit(child);
}

function prepareReturnAnnotation(generator: Generation, node: number, annotation: number): void {
  const { tree, features } = generator;
  const isParenthesized =
    tree.kind[annotation] === Kind.atom && tree.kind[tree.first[annotation]!] === Kind.LPAR;
  if (!isParenthesized || maybeMakeParensInvisibleInAtom(tree, annotation, node, features)) {
    wrapInParentheses(tree, annotation, false);
  }
}

/** Invisible parentheses go round a parameter's annotation. */
export function prepareTypedName(generator: Generation, node: number): void {
  const { tree, features } = generator;
  if (tree.childCount(node) !== 3) return;
  const annotation = tree.last[node]!;
  if (maybeMakeParensInvisibleInAtom(tree, annotation, node, features)) {
    wrapInParentheses(tree, annotation, false);
  }
}

/** Each decorator, and what is decorated, begins a line. */
export function visitDecorators(generator: Generation, node: number): void {
  const { tree } = generator;
  for (let child = tree.first[node]!; child !== NONE; child = tree.next[child]!) {
    generator.line();
    const first = tree.first[child]!;
    const isVerbatim =
      tree.kind[child] === Kind.decorator &&
      (tree.textFlags[first]! & TextFlag.VERBATIM) !== 0 &&
      generator.emitVerbatim(first, first, tree.start[tree.last[child]!]!);
    if (!isVerbatim) generator.visit(child);
  }
}

/** `async` and what it introduces; `# fmt: skip` may have made the former a comment. */
export function visitAsync(generator: Generation, node: number): void {
  const { tree } = generator;
  generator.line();
  let child = tree.first[node]!;
  // The header is emitted with the statement inside.
  if ((tree.textFlags[child]! & TextFlag.VERBATIM) !== 0) {
    generator.visit(tree.next[child]!);
    return;
  }
  while (child !== NONE) {
    const kind = tree.kind[child];
    generator.visit(child);
    child = tree.next[child]!;
    if (kind === Kind.ASYNC || kind === Kind.STANDALONE_COMMENT) break;
  }
  if (child !== NONE) generator.visit(child);
}
