/** Nodes that become STANDALONE_COMMENT leaves, collected first and replaced at once (`ranges.py` _NodeReplacements). */
import { Kind } from "../../syntax/kinds.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";

/** A run of nodes and the leaf that takes its place. */
interface Replacement {
  readonly nodes: readonly number[];
  readonly leaf: number;
}

export class Replacements {
  readonly #tree: Tree;
  readonly #replacements: Replacement[] = [];
  readonly #recorded = new Set<number>();
  readonly #coveredNewlines = new Set<number>();
  readonly #takenPrefixes = new Map<number, string>();

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  isRecorded(node: number): boolean {
    return this.#recorded.has(node);
  }

  /** Whether the NEWLINE leaf is in a run that is recorded already. */
  isCovered(newline: number): boolean {
    return this.#coveredNewlines.has(newline);
  }

  /**
   * Takes the prefix off a leaf that begins a run. A node and an outer node may begin with the same leaf: both get
   * the prefix, and the outer one counts as beginning at line 0.
   */
  takePrefix(leaf: number): string {
    const taken = this.#takenPrefixes.get(leaf);
    if (taken !== undefined) return taken;
    const prefix = this.#tree.prefix(leaf);
    this.#tree.setPrefix(leaf, "");
    this.#tree.line[leaf] = 0;
    this.#takenPrefixes.set(leaf, prefix);
    return prefix;
  }

  /** Plans to put `leaf` where the first of the nodes is and to drop the others, wherever they are. */
  record(nodes: readonly number[], leaf: number): void {
    const first = nodes[0]!;
    if (this.#tree.parent[first] === NONE || this.#recorded.has(first)) return;
    for (const node of nodes) {
      this.#recorded.add(node);
      for (const below of this.#tree.leaves(node)) {
        if (this.#tree.kind[below] === Kind.NEWLINE) this.#coveredNewlines.add(below);
      }
    }
    this.#replacements.push({ nodes, leaf });
  }

  /** Changes the tree. */
  apply(): void {
    const tree = this.#tree;
    for (const { nodes, leaf } of this.#replacements) {
      tree.replace(nodes[0]!, leaf);
      for (let i = 1; i < nodes.length; i++) tree.remove(nodes[i]!);
    }
  }
}
