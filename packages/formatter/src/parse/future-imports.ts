/** `from __future__ import` (`black/__init__.py` get_future_imports). */
import { isNameKind, Kind } from "../syntax/kinds.ts";
import { NONE, TextFlag, type Tree } from "../syntax/tree.ts";

/** Whether the module turns on `annotations`, before any statement but docstrings and other such imports. */
export function hasFutureAnnotations(tree: Tree, root: number): boolean {
  let found = false;
  for (let at = tree.first[root]!; at !== NONE; at = tree.next[at]!) {
    if (tree.kind[at] !== Kind.simple_stmt) break;
    const statement = tree.first[at]!;
    if (isDocstring(tree, statement)) continue;
    if (tree.kind[statement] !== Kind.import_from) break;
    const module = tree.next[tree.first[statement]!]!;
    if (!isNameKind(tree.kind[module]!) || tree.text(module) !== "__future__") break;
    if (importsAnnotations(tree, statement)) found = true;
  }
  return found;
}

function isDocstring(tree: Tree, statement: number): boolean {
  if (tree.kind[statement] !== Kind.STRING) return false;
  if ((tree.textFlags[statement]! & TextFlag.INTERPOLATED) !== 0) return false;
  const next = tree.next[statement]!;
  return tree.kind[next] === Kind.NEWLINE;
}

function importsAnnotations(tree: Tree, statement: number): boolean {
  for (let at = tree.first[statement]!; at !== NONE; at = tree.next[at]!) {
    const kind = tree.kind[at]!;
    if (kind !== Kind.import_as_names) {
      if (isAnnotations(tree, at)) return true;
      continue;
    }
    for (let name = tree.first[at]!; name !== NONE; name = tree.next[name]!) {
      if (isAnnotations(tree, name)) return true;
    }
  }
  return false;
}

/** The name itself, or the first of `annotations as x`. */
function isAnnotations(tree: Tree, id: number): boolean {
  const name = tree.kind[id] === Kind.import_as_name ? tree.first[id]! : id;
  return tree.kind[name] === Kind.NAME && tree.text(name) === "annotations";
}
