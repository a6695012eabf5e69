import { Kind } from "../syntax/kinds.ts";
import type { Tree } from "../syntax/tree.ts";

/** Where a merged string was split in the source (Black: CustomSplit). */
export interface CustomSplit {
  /** Whether the part had a prefix of its own. */
  readonly hasPrefix: boolean;
  /** Code points from the start of the merged string, or of what is left of it, to the end of the part. */
  readonly breakIndex: number;
}

/**
 * Splits of merged strings by string leaf. Copies of a leaf share one entry: taking the splits by any of them takes
 * them from all (Black keys its map by the identity of the text object, which copies share).
 */
interface Entry {
  splits: readonly CustomSplit[];
}

const entriesByTree = new WeakMap<Tree, Map<number, Entry>>();

const NO_SPLITS: readonly CustomSplit[] = [];

/** Remembers how the string of `leaf` was split (Black: add_custom_splits). */
export function addCustomSplits(tree: Tree, leaf: number, splits: readonly CustomSplit[]): void {
  let entries = entriesByTree.get(tree);
  if (entries === undefined) {
    entries = new Map();
    entriesByTree.set(tree, entries);
  }
  entries.set(leaf, { splits });
}

/** The remembered splits, which are forgotten by this; empty when there are none (Black: pop_custom_splits). */
export function takeCustomSplits(tree: Tree, leaf: number): readonly CustomSplit[] {
  const entry = entriesByTree.get(tree)?.get(leaf);
  if (entry === undefined) return NO_SPLITS;
  const splits = entry.splits;
  entry.splits = NO_SPLITS;
  return splits;
}

/** Forgets the splits of `leaf`, whose text has changed; its copies keep theirs. */
export function dropCustomSplits(tree: Tree, leaf: number): void {
  entriesByTree.get(tree)?.delete(leaf);
}

/** Black: has_custom_splits. */
export function hasCustomSplits(tree: Tree, leaf: number): boolean {
  const entry = entriesByTree.get(tree)?.get(leaf);
  return entry !== undefined && entry.splits.length > 0;
}

/** Lets `copy`, a leaf with the text of `leaf`, share its remembered splits. */
export function shareCustomSplits(tree: Tree, leaf: number, copy: number): void {
  if (tree.kind[leaf] !== Kind.STRING) return;
  const entries = entriesByTree.get(tree);
  const entry = entries?.get(leaf);
  if (entry !== undefined) entries?.set(copy, entry);
}
