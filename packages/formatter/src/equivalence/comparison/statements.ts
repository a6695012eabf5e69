import { Kind } from "../../syntax/kinds.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";

/** Whether the node holds statements: a file, an indented block, or the statements of one line. */
export function isBlock(kind: number): boolean {
  return kind === Kind.suite || kind === Kind.simple_stmt || kind === Kind.file_input;
}

/** The first statement of a block; `NONE` in an empty file. */
export function firstStatement(tree: Tree, block: number): number {
  const first = tree.first[block]!;
  const at = tree.kind[first] === Kind.simple_stmt ? tree.first[first]! : first;
  return isLayout(tree.kind[at]!) ? nextStatement(tree, block, at) : at;
}

/** The statement after one of a block, whether they share a line or not; `NONE` after the last. */
export function nextStatement(tree: Tree, block: number, statement: number): number {
  let at = statement;
  do {
    while (tree.next[at] === NONE) {
      at = tree.parent[at]!;
      if (at === block) return NONE;
    }
    at = tree.next[at]!;
    if (tree.kind[at] === Kind.simple_stmt) at = tree.first[at]!;
  } while (isLayout(tree.kind[at]!));
  return at;
}

/** ENDMARKER, NEWLINE, INDENT, DEDENT and the semicolon. */
function isLayout(kind: number): boolean {
  return kind <= Kind.DEDENT || kind === Kind.SEMI;
}

/** Whether a statement holds blocks, itself or in the definition or clause that it ends with. */
export function isCompound(kind: number): boolean {
  switch (kind) {
    case Kind.if_stmt:
    case Kind.while_stmt:
    case Kind.for_stmt:
    case Kind.try_stmt:
    case Kind.with_stmt:
    case Kind.funcdef:
    case Kind.classdef:
    case Kind.decorated:
    case Kind.async_funcdef:
    case Kind.async_stmt:
    case Kind.match_stmt:
    case Kind.case_block:
      return true;
    default:
      return false;
  }
}
