import { Kind } from "../../syntax/kinds.ts";
import { isImport, isWithOrAsyncWithStmt } from "../../syntax/predicates/statements.ts";
import { isDocstring } from "../../syntax/predicates/strings.ts";
import type { LineView } from "./line-view.ts";

/** Kind of the leaf at `index`, -1 when the line is shorter. */
function kindAt(line: LineView, index: number): number {
  return index >= 0 && index < line.leaves.length ? line.tree.kind[line.leaves[index]!]! : -1;
}

/** What a line is, told by its first or last leaves (Black: the is_* properties of Line). */
export const lineShape = {
  decorator(line: LineView): boolean {
    return kindAt(line, 0) === Kind.AT;
  },

  importStatement(line: LineView): boolean {
    return line.leaves.length > 0 && isImport(line.tree, line.leaves[0]!);
  },

  withStatement(line: LineView): boolean {
    return line.leaves.length > 0 && isWithOrAsyncWithStmt(line.tree, line.leaves[0]!);
  },

  classDefinition(line: LineView): boolean {
    return kindAt(line, 0) === Kind.KW_CLASS;
  },

  /** `def` and `async def`. */
  functionDefinition(line: LineView): boolean {
    const first = kindAt(line, 0);
    return first === Kind.KW_DEF || (first === Kind.ASYNC && kindAt(line, 1) === Kind.KW_DEF);
  },

  docstring(line: LineView): boolean {
    return line.leaves.length > 0 && isDocstring(line.tree, line.leaves[0]!);
  },

  /** A string in triple quotes, at most with the prefix `r`. */
  tripleQuotedString(line: LineView): boolean {
    if (kindAt(line, 0) !== Kind.STRING) return false;
    const text = line.tree.text(line.leaves[0]!);
    const first = text.charCodeAt(0) | 0x20;
    const at = first === 0x72 ? 1 : 0;
    return text.startsWith('"""', at) || text.startsWith("'''", at);
  },

  endsWithEllipsis(line: LineView): boolean {
    const end = line.leaves.length;
    return (
      kindAt(line, end - 1) === Kind.DOT &&
      kindAt(line, end - 2) === Kind.DOT &&
      kindAt(line, end - 3) === Kind.DOT
    );
  },
} as const;
