import { containsPragmaComment } from "../../comments/pragma.ts";
import { leafCodePoints, textCodePoints } from "../../lines/leaf-size.ts";
import type { Line } from "../../lines/line.ts";
import { isClosingBracket, isNameKind, Kind } from "../../syntax/kinds.ts";
import { isEmptyLpar, isEmptyRpar } from "../../syntax/predicates/brackets.ts";
import { hasTripleQuotes } from "../../syntax/predicates/strings.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";
import { countCharsInWidth } from "../../util/width.ts";
import { isStringOperator } from "../string-leaf.ts";

/**
 * Whether the string at `index` is to blame for the length of the line and may be broken: part of an expression,
 * without a pragma behind it, not triple-quoted (Black: BaseStringSplitter._validate).
 */
export function isSplittableString(line: Line, index: number, lineLength: number): boolean {
  const tree = line.tree;
  const leaf = line.leaves[index]!;
  if (textCodePoints(tree, leaf) <= maxStringLength(line, index, lineLength)) return false;
  if (tree.parent[leaf] === NONE || isWholeStatement(tree, leaf)) return false;
  return !containsPragmaComment(tree, line.commentsAfter(leaf)) && !hasTripleQuotes(tree.text(leaf));
}

function isWholeStatement(tree: Tree, leaf: number): boolean {
  const next = tree.next[leaf]!;
  return (
    tree.prev[leaf] === NONE && next !== NONE && tree.kind[next] === Kind.NEWLINE && tree.next[next] === NONE
  );
}

/** How long the string may be for something else to be to blame (Black: _get_max_string_length). */
function maxStringLength(line: Line, index: number, lineLength: number): number {
  const { tree } = line;
  let offset = line.depth * 4 + columnsBefore(line, index) + columnsAfter(line, index);
  const comments = line.commentsAfter(line.leaves[index]!);
  if (comments.length > 0) offset += 2;
  for (const comment of comments) offset += textCodePoints(tree, comment);
  return countCharsInWidth(line.render(), lineLength - offset);
}

/** What must stay in front of the string, seen from the leaf before it. */
function columnsBefore(line: Line, index: number): number {
  const { tree, leaves } = line;
  if (index === 0) return 0;
  let at = index - 1;
  if (isEmptyLpar(tree, leaves[at]!) && index >= 2) at--;
  const kind = tree.kind[leaves[at]!]!;
  let columns = 0;
  // An operator and a space.
  if (isStringOperator(kind)) columns += leafCodePoints(tree, leaves[at]!) + 1;
  // A closing bracket, a comma and a space.
  if (kind === Kind.COMMA) columns += 3;
  if (kind === Kind.COLON || kind === Kind.EQUAL || kind === Kind.PLUSEQUAL || isNameKind(kind)) {
    // A key, a target, or a keyword, back to the last closing bracket, and a space.
    columns += 1;
    for (let i = at; i >= 0; i--) {
      columns += leafCodePoints(tree, leaves[i]!);
      if (isClosingBracket(tree.kind[leaves[i]!]!)) break;
    }
  }
  return columns;
}

/** What must stay behind the string: a comma, or a method up to its parenthesis. */
function columnsAfter(line: Line, index: number): number {
  const { tree, leaves } = line;
  if (index + 1 >= leaves.length) return 0;
  let next = leaves[index + 1]!;
  if (isEmptyRpar(tree, next) && leaves.length > index + 2) next = leaves[index + 2]!;
  let columns = tree.kind[next] === Kind.COMMA ? 1 : 0;
  if (index + 2 >= leaves.length) return columns;
  const afterNext = leaves[index + 2]!;
  if (tree.kind[next] === Kind.DOT && isNameKind(tree.kind[afterNext]!)) {
    columns += 1 + textCodePoints(tree, afterNext);
    if (index + 3 < leaves.length && tree.kind[leaves[index + 3]!] === Kind.LPAR) columns += 1;
  }
  return columns;
}
