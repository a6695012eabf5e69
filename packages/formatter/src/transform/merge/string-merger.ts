import { appendLeaves } from "../../lines/append-leaves.ts";
import { dropCustomSplits } from "../../lines/custom-splits.ts";
import type { Line } from "../../lines/line.ts";
import type { Mode } from "../../mode/mode.ts";
import { Kind } from "../../syntax/kinds.ts";
import { isPartOfAnnotation } from "../../syntax/predicates/annotations.ts";
import { hasTripleQuotes } from "../../syntax/predicates/strings.ts";
import { lowerPrefix } from "../string-leaf.ts";
import { mergeGroup } from "./merge-group.ts";
import { canMergeGroup } from "./validate-group.ts";

const CONTINUATION = "\\\n";

/**
 * Joins adjacent strings into one each and takes line continuations out of strings (Black: StringMerger). Where
 * the parts of a merged string ended is remembered for the splitter.
 */
export function mergeStrings(line: Line, _features: number, mode: Mode): Line[] | undefined {
  const indices = mergeableStrings(line);
  line.hasSettledStrings = indices.length === 0;
  if (line.hasSettledStrings) return undefined;
  const joined = withoutContinuations(line, indices);
  const merged = withMergedGroups(joined ?? line, indices, mode);
  const result = merged ?? joined;
  return result && [result];
}

/** Index of the first string of each group, and of each string with a line continuation (Black: do_match). */
function mergeableStrings(line: Line): number[] {
  const { tree, leaves } = line;
  const indices: number[] = [];
  for (let i = 0; i < leaves.length; i++) {
    if (tree.kind[leaves[i]!] !== Kind.STRING) continue;
    let end = i + 1;
    while (end < leaves.length && tree.kind[leaves[end]!] === Kind.STRING) end++;
    if (end > i + 1) {
      if (!hasComment(line, i, end) && !isPartOfAnnotation(tree, leaves[i]!)) indices.push(i);
    } else if (tree.text(leaves[i]!).includes(CONTINUATION)) {
      indices.push(i);
    }
    i = end - 1;
  }
  return indices;
}

function hasComment(line: Line, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (line.commentsAfter(line.leaves[i]!).length > 0) return true;
  return false;
}

/** A copy of the line without line continuations; `undefined` when it has none (Black: _remove_backslash_line_continuation_chars). */
function withoutContinuations(line: Line, indices: readonly number[]): Line | undefined {
  const tree = line.tree;
  const continued = indices.filter((index) => {
    const text = tree.text(line.leaves[index]!);
    return text.includes(CONTINUATION) && !hasTripleQuotes(text) && !lowerPrefix(text).includes("r");
  });
  if (continued.length === 0) return undefined;
  const copy = line.clone();
  appendLeaves(copy, line, line.leaves);
  for (const index of continued) {
    const leaf = copy.leaves[index]!;
    tree.setText(leaf, tree.text(leaf).replaceAll(CONTINUATION, ""));
    dropCustomSplits(tree, leaf);
  }
  return copy;
}

/** A copy of the line with its groups merged; `undefined` when none can be (Black: _merge_string_group). */
function withMergedGroups(line: Line, indices: readonly number[], mode: Mode): Line | undefined {
  const { leaves } = line;
  const groups = new Map<number, { count: number; leaf: number }>();
  for (const index of indices) {
    if (canMergeGroup(line, index)) groups.set(index, mergeGroup(line, index, mode.stringNormalization));
  }
  if (groups.size === 0) return undefined;
  const result = line.clone();
  let pending: number[] = [];
  for (let i = 0; i < leaves.length; i++) {
    const group = groups.get(i);
    if (group === undefined) {
      pending.push(leaves[i]!);
      continue;
    }
    appendLeaves(result, line, pending);
    pending = [];
    result.append(group.leaf);
    const end = i + group.count;
    for (; i < end; i++) for (const comment of line.commentsAfter(leaves[i]!)) result.append(comment, true);
    i--;
  }
  appendLeaves(result, line, pending);
  return result;
}
