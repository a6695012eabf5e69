/** Keeps lines outside the selected ranges as they are (`ranges.py` convert_unchanged_lines). */
import { BrokenTreeError } from "../../syntax/broken-tree-error.ts";
import { kindSet } from "../../syntax/kind-set.ts";
import { Kind } from "../../syntax/kinds.ts";
import { furthestAncestorWithLastLeaf, parentKind, prevKind } from "../../syntax/predicates/family.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";
import type { LineSelection } from "./line-range.ts";
import { lineAfter, textWithComments } from "./node-text.ts";
import { Replacements } from "./replacements.ts";

/** The number that Black has for STANDALONE_COMMENT (`blib2to3/pgen2/token.py`). */
const STANDALONE_COMMENT_NUMBER = 153;

/** Nodes below which statements stand. */
const containers = kindSet([
  Kind.file_input,
  Kind.decorated,
  Kind.async_stmt,
  Kind.async_funcdef,
  Kind.if_stmt,
  Kind.while_stmt,
  Kind.for_stmt,
  Kind.try_stmt,
  Kind.with_stmt,
  Kind.funcdef,
  Kind.classdef,
  Kind.match_stmt,
  Kind.case_block,
]);

/**
 * Turns statements without a selected line into STANDALONE_COMMENT leaves: whole top-level statements first, then
 * every logical line by itself.
 */
export function convertUnchangedLines(tree: Tree, root: number, selection: LineSelection): void {
  const converter = new Converter(tree, selection);
  converter.convertStatements(root);
  converter.apply();
  const byLine = new Converter(tree, selection);
  byLine.convertLines(root);
  byLine.apply();
}

class Converter {
  readonly #tree: Tree;
  readonly #selection: LineSelection;
  readonly #replacements: Replacements;

  constructor(tree: Tree, selection: LineSelection) {
    this.#tree = tree;
    this.#selection = selection;
    this.#replacements = new Replacements(tree);
  }

  apply(): void {
    this.#replacements.apply();
  }

  /** `_TopLevelStatementsVisitor`. */
  convertStatements(node: number): void {
    const tree = this.#tree;
    for (let child = tree.first[node]!; child !== NONE; child = tree.next[child]!) {
      const kind = tree.kind[child]!;
      if (kind === Kind.simple_stmt) {
        const last = tree.lastLeaf(child);
        if (last === NONE) continue;
        // A directive has taken the end of the line.
        if (tree.kind[last] !== Kind.NEWLINE)
          throw new BrokenTreeError(`Unexpectedly found leaf.type=${STANDALONE_COMMENT_NUMBER}`);
        const ancestor = furthestAncestorWithLastLeaf(tree, last);
        if (!this.#isSelected(ancestor, ancestor)) this.#convertNode(ancestor);
      } else if (kind === Kind.suite) {
        this.#convertSuite(child);
      } else if (containers[kind] !== 0) {
        this.convertStatements(child);
      }
    }
  }

  #convertSuite(suite: number): void {
    const tree = this.#tree;
    if (tree.leaves(suite).some((leaf) => tree.kind[leaf] === Kind.STANDALONE_COMMENT)) return;
    let statement = tree.parent[suite]!;
    if (statement !== NONE && prevKind(tree, statement) === Kind.ASYNC) statement = tree.parent[statement]!;
    if (statement !== NONE && !this.#isSelected(statement, statement)) this.#convertNode(statement);
  }

  /** `_convert_unchanged_line_by_line`: logical lines end in NEWLINE leaves. */
  convertLines(root: number): void {
    const tree = this.#tree;
    for (const leaf of tree.leaves(root)) {
      if (tree.kind[leaf] !== Kind.NEWLINE || this.#replacements.isCovered(leaf)) continue;
      const parent = parentKind(tree, leaf);
      if (parent === Kind.match_stmt) this.#convertHeader(siblingsBefore(tree, leaf), leaf);
      else if (parent === Kind.suite) this.#convertHeader(headerOf(tree, tree.parent[leaf]!), leaf);
      else this.#convertLine(leaf);
    }
  }

  #convertLine(newline: number): void {
    const tree = this.#tree;
    let ancestor = furthestAncestorWithLastLeaf(tree, newline);
    // Decorators go together.
    if (tree.kind[ancestor] === Kind.decorator && parentKind(tree, ancestor) === Kind.decorators) {
      ancestor = tree.parent[ancestor]!;
    }
    if (!this.#isSelected(ancestor, ancestor)) this.#convertNode(ancestor);
  }

  /** `_get_line_range` of a run of nodes, and whether a line of it is selected. */
  #isSelected(firstNode: number, lastNode: number): boolean {
    const tree = this.#tree;
    const first = tree.firstLeaf(firstNode);
    const last = tree.lastLeaf(lastNode);
    if (first === NONE || last === NONE) return false;
    return this.#selection.intersects(tree.line[first]!, lineAfter(tree, last));
  }

  /** `_convert_node_to_standalone_comment`. */
  #convertNode(node: number): void {
    const tree = this.#tree;
    if (tree.parent[node] === NONE || this.#replacements.isRecorded(node)) return;
    const first = tree.firstLeaf(node);
    if (first === NONE || first === tree.lastLeaf(node)) return;
    const line = tree.line[first]!;
    const prefix = this.#replacements.takePrefix(first);
    // The line generator adds the line break again.
    const text = textWithComments(tree, node).slice(0, -1);
    this.#replacements.record([node], this.#keep(first, line, text, prefix));
  }

  /** `_convert_nodes_to_standalone_comment`: the comment after a block's colon stands before its NEWLINE. */
  #convertHeader(nodes: readonly number[], newline: number): void {
    const tree = this.#tree;
    if (nodes.length === 0 || this.#isSelected(nodes[0]!, nodes[nodes.length - 1]!)) return;
    const first = tree.firstLeaf(nodes[0]!);
    if (tree.parent[nodes[0]!] === NONE || first === NONE || this.#replacements.isRecorded(nodes[0]!)) return;
    const line = tree.line[first]!;
    const prefix = this.#replacements.takePrefix(first);
    const text = nodes.map((node) => textWithComments(tree, node)).join("") + tree.prefix(newline);
    tree.setPrefix(newline, "");
    this.#replacements.record(nodes, this.#keep(first, line, text, prefix));
  }

  #keep(firstLeaf: number, firstLine: number, text: string, prefix: string): number {
    const leaf = this.#tree.makeLeaf(Kind.STANDALONE_COMMENT, text, prefix);
    this.#tree.keptCode.set(leaf, { firstLeaf, firstLine, selection: this.#selection });
    return leaf;
  }
}

function siblingsBefore(tree: Tree, leaf: number): number[] {
  const nodes: number[] = [];
  for (let at = tree.prev[leaf]!; at !== NONE; at = tree.prev[at]!) nodes.unshift(at);
  return nodes;
}

/** What stands before a suite up to the suite of another clause, `async` included. */
function headerOf(tree: Tree, suite: number): number[] {
  const nodes: number[] = [];
  for (let at = tree.prev[suite]!; at !== NONE && tree.kind[at] !== Kind.suite; at = tree.prev[at]!) {
    nodes.unshift(at);
  }
  const statement = tree.parent[suite]!;
  if (statement !== NONE && prevKind(tree, statement) === Kind.ASYNC) nodes.unshift(tree.prev[statement]!);
  return nodes;
}
