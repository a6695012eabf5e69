/** Type annotations (`nodes.py` get_annotation_type, is_part_of_annotation). */
import { Kind } from "../kinds.ts";
import { NONE, type Tree } from "../tree.ts";
import { parentKind, prevKind } from "./family.ts";

/** Which annotation the leaf is part of; `undefined` for none (`get_annotation_type`). */
export function annotationType(tree: Tree, leaf: number): "return" | "param" | undefined {
  for (let at = tree.parent[leaf]!; at !== NONE; at = tree.parent[at]!) {
    if (prevKind(tree, at) === Kind.RARROW) return "return";
    if (parentKind(tree, at) === Kind.tname) return "param";
  }
  return undefined;
}

/** Whether the leaf is part of a parameter's or a return annotation (`is_part_of_annotation`). */
export function isPartOfAnnotation(tree: Tree, leaf: number): boolean {
  return annotationType(tree, leaf) !== undefined;
}
