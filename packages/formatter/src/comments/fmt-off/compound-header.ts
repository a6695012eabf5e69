/**
 * The head of a compound statement whose body of several statements stands behind a `# fmt: skip`
 * (`comments.py` _find_compound_statement_context, _get_compound_statement_header).
 */
import { Kind } from "../../syntax/kinds.ts";
import { parentKind } from "../../syntax/predicates/family.ts";
import { statements } from "../../syntax/predicates/statements.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";

/** Leaves of the head, so that it stays on the line of its body; none for other statements. */
export function compoundHeader(tree: Tree, simpleStatement: number): number[] {
  const body = compoundBody(tree, simpleStatement);
  if (body === NONE || !isKeptInline(tree, body, simpleStatement)) return [];
  const statement = tree.parent[body]!;
  const header: number[] = [];
  const before = tree.prev[statement]!;
  if (
    parentKind(tree, statement) === Kind.async_stmt &&
    before !== NONE &&
    tree.kind[before] === Kind.ASYNC
  ) {
    header.push(before);
  }
  for (let child = tree.first[statement]!; child !== body; child = tree.next[child]!) {
    const kind = tree.kind[child]!;
    if (kind !== Kind.NEWLINE && kind !== Kind.INDENT) header.push(...tree.leaves(child));
  }
  return header;
}

/** The body that the simple statement is, or the suite that holds it. */
function compoundBody(tree: Tree, simpleStatement: number): number {
  if (tree.kind[simpleStatement] !== Kind.simple_stmt) return NONE;
  const parent = tree.parent[simpleStatement]!;
  if (parent === NONE) return NONE;
  if (tree.kind[parent] === Kind.suite && isCompound(parentKind(tree, parent))) return parent;
  return isCompound(tree.kind[parent]!) ? simpleStatement : NONE;
}

/** Compound statements that stand alone: no clause of one. */
function isCompound(kind: number): boolean {
  return kind !== NONE && statements[kind] === 1 && kind !== Kind.except_clause && kind !== Kind.case_block;
}

/** Whether the body is this statement alone, with semicolons in it. */
function isKeptInline(tree: Tree, body: number, simpleStatement: number): boolean {
  if (body !== simpleStatement) {
    for (let child = tree.first[body]!; child !== NONE; child = tree.next[child]!) {
      if (tree.kind[child] === Kind.simple_stmt && child !== simpleStatement) return false;
    }
  }
  return tree.leaves(simpleStatement).some((leaf) => tree.kind[leaf] === Kind.SEMI);
}
