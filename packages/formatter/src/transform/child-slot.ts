import { noteGainedChildren } from "../syntax/gained-children.ts";
import { NONE, type Tree } from "../syntax/tree.ts";

/**
 * The place of a leaf that is taken out of the tree, for several others to be put in (Black:
 * insert_str_child_factory). The place is an index among the children, whatever happens to them in between.
 */
export class ChildSlot {
  readonly #tree: Tree;
  readonly #parent: number;
  #index = 0;

  constructor(tree: Tree, leaf: number) {
    this.#tree = tree;
    this.#parent = tree.parent[leaf]!;
    for (let at = tree.prev[leaf]!; at !== NONE; at = tree.prev[at]!) this.#index++;
    if (this.#parent === NONE) return;
    tree.remove(leaf);
    noteGainedChildren(tree, this.#parent, -1);
  }

  insert(child: number): void {
    if (this.#parent === NONE) return;
    let before = this.#tree.first[this.#parent]!;
    for (let i = 0; i < this.#index && before !== NONE; i++) before = this.#tree.next[before]!;
    this.#tree.insertBefore(this.#parent, before, child);
    this.#index++;
    noteGainedChildren(this.#tree, this.#parent, +1);
  }
}
