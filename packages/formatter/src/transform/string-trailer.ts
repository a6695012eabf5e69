import { isNameKind, Kind } from "../syntax/kinds.ts";
import { isEmptyPar } from "../syntax/predicates/brackets.ts";
import type { Tree } from "../syntax/tree.ts";

/** What has been read of a trailer so far. */
type State = "start" | "dot" | "name" | "percent" | "argument" | "parenthesized" | "closed" | "done";

/**
 * Index after the string at `index` and its trailer: `% value`, `% (values)`, `.attribute` or `.method(...)`
 * (Black: StringParser).
 */
export function stringTrailerEnd(tree: Tree, leaves: readonly number[], index: number): number {
  let state: State = "start";
  let depth = 0;
  let i = index + 1;
  for (; i < leaves.length; i++) {
    const leaf = leaves[i]!;
    if (isEmptyPar(tree, leaf)) continue;
    const kind = tree.kind[leaf]!;
    if (kind === Kind.LPAR) depth++;
    if (state === "parenthesized") {
      if (kind === Kind.RPAR && --depth === 0) state = "closed";
      continue;
    }
    state = nextState(state, kind);
    if (state === "done") break;
  }
  return i;
}

function nextState(state: State, kind: number): State {
  switch (state) {
    case "start":
      if (kind === Kind.DOT) return "dot";
      return kind === Kind.PERCENT ? "percent" : "done";
    case "dot":
      return isNameKind(kind) ? "name" : "done";
    case "name":
      return kind === Kind.LPAR ? "parenthesized" : "done";
    case "percent":
      return kind === Kind.LPAR ? "parenthesized" : "argument";
    default:
      return "done";
  }
}
