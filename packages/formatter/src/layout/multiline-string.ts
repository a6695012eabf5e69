import type { Line } from "../lines/line.ts";
import { Kind } from "../syntax/kinds.ts";
import { isMultilineString } from "../syntax/predicates/strings.ts";
import { NONE, type Tree } from "../syntax/tree.ts";

/**
 * Whether the multi-line string on the line may stay where it is instead of being moved to lines of its own: it is
 * the only one, no dictionary value or branch of a ternary, and no comma separates it from anything at its level or
 * outside (Black: the second half of is_line_short_enough).
 */
export function multilineStringMayStay(line: Line): boolean {
  const { tree, leaves } = line;
  /** Commas seen so far at each bracket depth. */
  const commas: number[] = [];
  let string: number = NONE;
  let contexts: Set<number> | undefined;
  let highestDepth = Number.POSITIVE_INFINITY;
  for (let i = 0; i < leaves.length; i++) {
    const leaf = leaves[i]!;
    const depth = tree.depth[leaf]!;
    if (highestDepth === Number.POSITIVE_INFINITY) {
      let leftCommas = -1;
      if (depth + 1 > commas.length) commas.push(0);
      else if (depth + 1 < commas.length) leftCommas = commas.pop()!;
      if (leftCommas !== -1 && string !== NONE && tree.depth[string] === depth + 1) {
        // The brackets around the string are closed: only commas outside them count from here on.
        highestDepth = depth;
        if (leftCommas > 0) return false;
      }
    }
    if (depth <= highestDepth && tree.kind[leaf] === Kind.COMMA && (line.insideBrackets || depth > 0)) {
      const trailing = i === leaves.length - 1 && isContext(contexts, tree.prev[leaf]!);
      if (!trailing) commas[depth] = (commas[depth] ?? 0) + 1;
    }
    if (highestDepth !== Number.POSITIVE_INFINITY) highestDepth = Math.min(highestDepth, depth);
    if (isMultilineString(tree, leaf)) {
      if (isTernaryOrDictionaryValue(tree, leaf) || contexts !== undefined) return false;
      string = leaf;
      contexts = contextsOnLine(line, leaf);
    }
  }
  return contexts === undefined || commas.every((count) => count === 0);
}

/** A comma without a sibling before it counts as directly after the string, too. */
function isContext(contexts: Set<number> | undefined, node: number): boolean {
  return node === NONE || contexts?.has(node) === true;
}

function isTernaryOrDictionaryValue(tree: Tree, leaf: number): boolean {
  const parent = tree.parent[leaf]!;
  if (parent === NONE) return false;
  if (tree.kind[parent] === Kind.test) return true;
  const grandparent = tree.parent[parent]!;
  return grandparent !== NONE && tree.kind[grandparent] === Kind.dictsetmaker;
}

/** The string and each ancestor whose first and last leaf both stand on the line. */
function contextsOnLine(line: Line, leaf: number): Set<number> {
  const tree = line.tree;
  const onLine = new Set(line.leaves);
  const contexts = new Set<number>();
  for (let node = leaf; node !== NONE; node = tree.parent[node]!) {
    if (!onLine.has(tree.firstLeaf(node)) || !onLine.has(tree.lastLeaf(node))) break;
    contexts.add(node);
  }
  return contexts;
}
