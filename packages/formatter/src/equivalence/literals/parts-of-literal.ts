import { StringPartsError, strictPartsOfString } from "../../parse/string-parts.ts";
import { kindSet } from "../../syntax/kind-set.ts";
import { Kind } from "../../syntax/kinds.ts";
import { NONE, TextFlag, type Tree } from "../../syntax/tree.ts";
import { SourceSyntaxError } from "../python-syntax/source-syntax-error.ts";
import { splitLiteral } from "./split-literal.ts";

/** A literal as it stands in the source, be it a leaf or a node of its parts. */
export function literalText(tree: Tree, id: number): string {
  return tree.source.slice(tree.start[tree.firstLeaf(id)]!, tree.end[tree.lastLeaf(id)]!);
}

/** Whether the id is a string literal: a leaf, or the node of an f-string within another one. */
export function isLiteral(tree: Tree, id: number): boolean {
  return tree.kind[id] === Kind.STRING || tree.kind[id] === Kind.fstring;
}

/**
 * The `fstring` node of an f-string or t-string, with those that its fields hold; a leaf is taken apart, which adds to
 * the tree what nothing links to.
 *
 * @throws {SourceSyntaxError}
 */
export function partsOfLiteral(tree: Tree, id: number): number {
  if ((tree.textFlags[id]! & TextFlag.INTERPOLATED) === 0) return id;
  try {
    return strictPartsOfString(tree, id);
  } catch (error) {
    if (!(error instanceof StringPartsError)) throw error;
    const { interpolation } = splitLiteral(literalText(tree, id));
    throw new SourceSyntaxError(
      `${interpolation}-string: ${error.message}`,
      error.line,
      error.isFromTokenizer ? "tokenizer" : "parser",
    );
  }
}

/**
 * The text of a field's expression with the `=` and the white space behind it, which becomes part of the string; the
 * escapes in it are not decoded. `undefined` without `=`.
 */
export function debugText(tree: Tree, field: number): string | undefined {
  for (let child = tree.first[field]!; child !== NONE; child = tree.next[child]!)
    if (tree.kind[child] === Kind.EQUAL) {
      const text = tree.source.slice(tree.end[tree.first[field]!]!, tree.start[tree.next[child]!]!);
      return text.replace(/#[^\n]*/g, "");
    }
  return undefined;
}

/**
 * The text of a t-string's field, which is part of the program (`Interpolation.expression`): up to the conversion or the format,
 * without comments, and without the white space and `=` at its end.
 */
export function interpolationText(tree: Tree, field: number): string {
  const opening = tree.first[field]!;
  let child = tree.next[opening]!;
  while (!endsInterpolation[tree.kind[child]!]) child = tree.next[child]!;
  let text = "";
  let at = tree.end[opening]!;
  for (const leaf of tree.leaves(field).slice(1)) {
    const start = tree.start[leaf]!;
    text += tree.source.slice(at, start).replace(/#[^\n]*/g, "");
    if (leaf === child) break;
    at = tree.end[leaf]!;
    text += tree.source.slice(start, at);
  }
  return text.replace(/[\s=]+$/, "");
}

const endsInterpolation = kindSet([Kind.BANG, Kind.COLON, Kind.RBRACE]);

/** Whether a node of an f-string, or of what one holds, belongs to a raw string. */
export function isInRawString(tree: Tree, id: number): boolean {
  let at = id;
  while (tree.kind[at] !== Kind.fstring) at = tree.parent[at]!;
  return /^[fFtT]?[rR]/.test(tree.text(tree.first[at]!));
}
