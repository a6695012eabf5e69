import { Kind as K } from "../../syntax/kinds.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";
import { normalizeNumber } from "../literals/normalize-number.ts";
import { AstNode, type AstSink } from "./ast-sink.ts";
import { lowerStrings } from "./lower-strings.ts";
import type { LoweringContext } from "./lowering-context.ts";

/**
 * Walks the concrete tree and tells the sink the abstract one: without redundant parentheses, trailing commas,
 * semicolons and layout; strings by their values; operators nested as Python's `ast` nests them. What differs after
 * this means something else to the interpreter (Black compares `ast.parse` of both sides in the same way).
 */
export class Lowering implements LoweringContext {
  readonly tree: Tree;
  readonly sink: AstSink;
  readonly #blocks: number[] | undefined;

  /** @param blocks where given, blocks are noted there instead of lowered. */
  constructor(tree: Tree, sink: AstSink, blocks?: number[]) {
    this.tree = tree;
    this.sink = sink;
    this.#blocks = blocks;
  }

  lower(id: number): void {
    const { tree, sink } = this;
    const kind = tree.kind[id]!;
    switch (kind) {
      case K.NEWLINE:
      case K.INDENT:
      case K.DEDENT:
      case K.ENDMARKER:
      case K.SEMI:
        return;
      case K.NUMBER:
        sink.value(normalizeNumber(tree.text(id)));
        return;
      case K.STRING:
      case K.fstring:
        lowerStrings(this, [id], false);
        return;
      case K.file_input:
      case K.suite:
      case K.simple_stmt:
        this.#body(id);
        return;
      case K.atom:
        this.#atom(id);
        return;
      case K.power:
        this.#power(id);
        return;
      case K.term:
      case K.arith_expr:
      case K.shift_expr:
      case K.expr:
      case K.xor_expr:
      case K.and_expr:
        this.#binary(id);
        return;
      case K.testlist:
      case K.testlist_star_expr:
      case K.testlist_gexp:
      case K.testlist_safe:
      case K.testlist1:
      case K.exprlist:
      case K.subscriptlist:
      case K.subject_expr:
      case K.patterns:
        this.#tupleOrGenerator(id);
        return;
      case K.asexpr_test:
      case K.pattern:
        this.#wrap(K.pattern, id);
        return;
      case K.subscript:
      case K.argument:
        if (isComprehension(tree, id)) this.#wrap(AstNode.generator, id);
        else this.#argument(id, kind);
        return;
      case K.arglist:
      case K.typedargslist:
      case K.varargslist:
      case K.import_as_names:
      case K.dotted_as_names:
      case K.listmaker:
      case K.dictsetmaker:
      case K.namedexpr_test:
        this.children(id);
        return;
      case K.old_comp_for:
      case K.comp_for:
        this.#wrap(AstNode.for, id);
        return;
      case K.old_comp_if:
      case K.comp_if:
        this.#wrap(AstNode.if, id);
        return;
      case K.del_stmt:
        this.#delete(id);
        return;
      case K.with_stmt:
        this.#with(id);
        return;
      case K.expr_stmt:
        this.#expressionStatement(id);
        return;
      case K.classdef:
      case K.import_from:
      case K.parameters:
        this.#withoutParentheses(id);
        return;
      default:
        if (tree.first[id] !== NONE) {
          sink.open(kind);
          this.children(id);
          sink.close();
        } else if (kind === K.NAME) sink.value(tree.text(id));
        else sink.kind(kind);
    }
  }

  /**
   * All children but a trailing comma. An assignment expression is three of them where blib2to3's grammar has no node for it:
   * in a set, a subscript or a call without parentheses of its own.
   */
  children(id: number): void {
    const { tree, sink } = this;
    for (let child = tree.first[id]!; child !== NONE; child = tree.next[child]!) {
      if (tree.kind[child] === K.COMMA && isLastOfList(tree, child)) continue;
      const operator = tree.next[child]!;
      if (tree.kind[operator] !== K.COLONEQUAL) {
        this.lower(child);
        continue;
      }
      sink.open(K.namedexpr_test);
      this.lower(child);
      child = tree.next[operator]!;
      this.lower(child);
      sink.close();
    }
  }

  #wrap(node: number, id: number): void {
    this.sink.open(node);
    this.children(id);
    this.sink.close();
  }

  /** A block: its statements, whether they share lines or not. */
  #body(id: number): void {
    this.sink.open(AstNode.body);
    if (this.#blocks === undefined) this.#statements(id);
    else this.#blocks.push(id);
    this.sink.close();
  }

  #statements(id: number): void {
    const { tree } = this;
    for (let child = tree.first[id]!; child !== NONE; child = tree.next[child]!) {
      if (tree.kind[child] === K.simple_stmt) this.#statements(child);
      else this.statement(child);
    }
  }

  /** A statement of a block, which may be a docstring. */
  statement(id: number): void {
    const strings = this.#standaloneStrings(id);
    if (strings === undefined) this.lower(id);
    else lowerStrings(this, strings, true);
  }

  /** The leaves of a statement that is nothing but a string, in whatever parentheses. */
  #standaloneStrings(id: number): number[] | undefined {
    const { tree } = this;
    let at = id;
    for (;;) {
      const kind = tree.kind[at];
      if (kind === K.STRING) return [at];
      if (kind !== K.atom) return undefined;
      const first = tree.first[at]!;
      if (tree.kind[first] === K.STRING) return tree.children(at);
      const inner = tree.next[first]!;
      if (tree.kind[first] !== K.LPAR || tree.next[inner] === NONE) return undefined;
      at = inner;
    }
  }

  #atom(id: number): void {
    const { tree, sink } = this;
    const first = tree.first[id]!;
    const inner = tree.next[first]!;
    const isEmpty = tree.next[inner] === NONE;
    switch (tree.kind[first]) {
      case K.STRING:
      case K.fstring:
        lowerStrings(this, tree.children(id), false);
        return;
      case K.LPAR:
        if (isEmpty) {
          sink.open(AstNode.tuple);
          sink.close();
        } else this.lower(inner);
        return;
      case K.LSQB:
        this.#display(
          isComprehension(tree, inner) ? AstNode.listComprehension : AstNode.list,
          isEmpty ? NONE : inner,
        );
        return;
      case K.LBRACE:
        this.#display(AstNode.braces, isEmpty ? NONE : inner);
        return;
      default:
        this.#wrap(K.atom, id);
    }
  }

  #display(node: number, inner: number): void {
    this.sink.open(node);
    if (inner !== NONE) this.lower(inner);
    this.sink.close();
  }

  /** `a := b`, and `a as b` in a pattern, mean the same with parentheses round them. */
  #argument(id: number, kind: number): void {
    const { tree } = this;
    const operator = tree.kind[tree.next[tree.first[id]!]!];
    if (operator === K.COLONEQUAL) this.children(id);
    else this.#wrap(operator === K.KW_AS ? K.pattern : kind, id);
  }

  #tupleOrGenerator(id: number): void {
    this.#wrap(isComprehension(this.tree, id) ? AstNode.generator : AstNode.tuple, id);
  }

  /** Left to right: `a - b + c` is `(a - b) + c`. */
  #binary(id: number): void {
    const { tree, sink } = this;
    const first = tree.first[id]!;
    for (let child = tree.next[first]!; child !== NONE; child = tree.next[tree.next[child]!]!)
      sink.open(AstNode.binary);
    this.lower(first);
    for (let operator = tree.next[first]!; operator !== NONE; ) {
      const operand = tree.next[operator]!;
      sink.kind(tree.kind[operator]!);
      this.lower(operand);
      sink.close();
      operator = tree.next[operand]!;
    }
  }

  /** `await atom trailers ** factor`: trailers bind first, then `await`, then the power. */
  #power(id: number): void {
    const { tree, sink } = this;
    let base = tree.first[id]!;
    const isAwait = tree.kind[base] === K.AWAIT;
    if (isAwait) base = tree.next[base]!;
    let trailers = 0;
    let child = tree.next[base]!;
    for (; child !== NONE && tree.kind[child] === K.trailer; child = tree.next[child]!) trailers++;
    const exponent = child === NONE ? NONE : tree.next[child]!;
    if (exponent !== NONE) sink.open(AstNode.power);
    if (isAwait) sink.open(AstNode.await);
    for (let i = 0; i < trailers; i++) sink.open(AstNode.trailed);
    this.lower(base);
    for (
      child = tree.next[base]!;
      child !== NONE && tree.kind[child] === K.trailer;
      child = tree.next[child]!
    ) {
      this.#trailer(child);
      sink.close();
    }
    if (isAwait) sink.close();
    if (exponent === NONE) return;
    this.lower(exponent);
    sink.close();
  }

  #trailer(id: number): void {
    const { tree, sink } = this;
    const first = tree.first[id]!;
    sink.kind(tree.kind[first]!);
    for (let child = tree.next[first]!; child !== NONE; child = tree.next[child]!) {
      const isClosing = tree.next[child] === NONE && tree.kind[first] !== K.DOT;
      // `a[*b]` is `a[*b,]`.
      if (tree.kind[first] === K.LSQB && tree.kind[child] === K.star_expr)
        this.#display(AstNode.tuple, child);
      else if (!isClosing) this.lower(child);
    }
  }

  #expressionStatement(id: number): void {
    const { tree, sink } = this;
    const target = tree.first[id]!;
    sink.open(K.expr_stmt);
    if (tree.kind[tree.next[target]!] === K.annassign)
      sink.value(tree.kind[target] === K.NAME ? "simple" : "annotated");
    this.children(id);
    sink.close();
  }

  /** Nested tuples of targets mean the same as their members in a row. */
  #delete(id: number): void {
    this.sink.open(K.del_stmt);
    this.#deleteTargets(this.tree.next[this.tree.first[id]!]!);
    this.sink.close();
  }

  #deleteTargets(id: number): void {
    const { tree } = this;
    const kind = tree.kind[id];
    const first = tree.first[id]!;
    if (kind === K.COMMA) return;
    if (kind === K.exprlist || kind === K.testlist_gexp)
      for (let child = first; child !== NONE; child = tree.next[child]!) this.#deleteTargets(child);
    else if (kind === K.atom && tree.kind[first] === K.LPAR) {
      if (tree.next[tree.next[first]!] !== NONE) this.#deleteTargets(tree.next[first]!);
    } else this.lower(id);
  }

  /** One pair of parentheses round all items is layout: `with (a, b):` has two items. */
  #with(id: number): void {
    const { tree, sink } = this;
    sink.open(AstNode.with);
    const item = tree.next[tree.first[id]!]!;
    const isOnly = tree.kind[tree.next[item]!] === K.COLON;
    const inner =
      tree.kind[item] === K.atom && tree.kind[tree.first[item]!] === K.LPAR
        ? tree.next[tree.first[item]!]!
        : NONE;
    const isList = isOnly && inner !== NONE && isItemList(tree, inner);
    if (isList) this.children(inner);
    for (let child = isList ? tree.next[item]! : item; child !== NONE; child = tree.next[child]!)
      this.lower(child);
    sink.close();
  }

  /** `class A():` is `class A:`, and the names of an import may stand in parentheses. */
  #withoutParentheses(id: number): void {
    const { tree, sink } = this;
    sink.open(tree.kind[id]!);
    for (let child = tree.first[id]!; child !== NONE; child = tree.next[child]!) {
      const kind = tree.kind[child];
      if (kind !== K.LPAR && kind !== K.RPAR) this.lower(child);
    }
    sink.close();
  }
}

/** Whether the node's last child is the `for` of a comprehension. */
export function isComprehension(tree: Tree, id: number): boolean {
  const last = tree.last[id]!;
  return last !== NONE && (tree.kind[last] === K.old_comp_for || tree.kind[last] === K.comp_for);
}

/** Whether a comma is the last member, or has only the closing bracket of type parameters behind it. */
function isLastOfList(tree: Tree, comma: number): boolean {
  const next = tree.next[comma]!;
  return next === NONE || tree.kind[next] === K.RSQB;
}

/** Whether what stands in the parentheses behind `with` is a list of items; a member that cannot be one makes it a tuple. */
function isItemList(tree: Tree, id: number): boolean {
  if (tree.kind[id] !== K.testlist_gexp || isComprehension(tree, id)) return false;
  for (let child = tree.first[id]!; child !== NONE; child = tree.next[child]!)
    if (tree.kind[child] === K.namedexpr_test || tree.kind[child] === K.star_expr) return false;
  return true;
}
