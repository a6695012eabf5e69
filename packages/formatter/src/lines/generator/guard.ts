/** The condition of a `case`, in the preview style (`linegen.py` normalize_invisible_parens, where it has a guard). */
import type { Mode } from "../../mode/mode.ts";
import { partsOfString } from "../../parse/string-parts.ts";
import { isInterpolated } from "../../syntax/predicates/strings.ts";
import type { Tree } from "../../syntax/tree.ts";
import { Line } from "../line.ts";

/** How often Black measures a guard before it visits the leaves. */
const TIMES = 3;

/**
 * Whether a guard's leaves fit into a line of their own. Black measures several times, and each time adds the space
 * before a leaf to what is there; so what stands in the source counts as well. Spaces that come into the fields of
 * f-strings and t-strings that way stay there.
 */
export function guardFits(
  tree: Tree,
  node: number,
  mode: Mode,
  isShortEnough: (line: Line, text: string) => boolean,
): boolean {
  const line = new Line(tree, mode);
  const apart: { readonly leaf: number; readonly parts: number }[] = [];
  for (const leaf of tree.leaves(node)) {
    if (!isInterpolated(tree, leaf) || !tree.isSourceText(leaf)) line.append(leaf);
    else {
      const parts = partsOfString(tree, leaf);
      tree.replace(leaf, parts);
      apart.push({ leaf, parts });
      for (const part of tree.leaves(parts)) line.append(part);
    }
  }
  let times = 0;
  let fits = true;
  while (fits && times < TIMES) {
    times++;
    fits = isShortEnough(line, spaced(tree, line.leaves, times));
  }
  for (const { leaf, parts } of apart) {
    const [opening, ...others] = tree.leaves(parts);
    tree.replace(parts, leaf);
    const text = tree.text(opening!) + spaced(tree, others, times);
    if (text !== tree.text(leaf)) tree.setText(leaf, text);
  }
  return fits;
}

/** The leaves with what stands before them and `times` the space that belongs there; none before the first of a line. */
function spaced(tree: Tree, leaves: readonly number[], times: number): string {
  return leaves
    .map((leaf) => tree.prefix(leaf) + " ".repeat(times * tree.space[leaf]!) + tree.text(leaf))
    .join("");
}
