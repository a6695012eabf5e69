/** String literals (`nodes.py` is_docstring, is_multiline_string; `strings.py` has_triple_quotes, get_string_prefix). */
import { Kind } from "../kinds.ts";
import { NONE, TextFlag, type Tree } from "../tree.ts";
import { parentKind, prevKind } from "./family.ts";

/** Whether the UTF-16 unit can stand before the quote of a string literal (`STRING_PREFIX_CHARS`). */
export function isStringPrefixChar(code: number): boolean {
  switch (code | 0x20) {
    case 0x66: // f
    case 0x74: // t
    case 0x75: // u
    case 0x72: // r
    case 0x62: // b
      return true;
    default:
      return false;
  }
}

/** Number of prefix letters before the quote (`len(get_string_prefix(text))`). */
export function stringPrefixLength(text: string): number {
  let length = 0;
  while (length < text.length && isStringPrefixChar(text.charCodeAt(length))) length++;
  return length;
}

/** Whether three quotation marks open the literal (`has_triple_quotes`). */
export function hasTripleQuotes(text: string): boolean {
  const at = stringPrefixLength(text);
  const quote = text.charCodeAt(at);
  return (
    (quote === 0x22 || quote === 0x27) &&
    text.charCodeAt(at + 1) === quote &&
    text.charCodeAt(at + 2) === quote
  );
}

/** Whether the leaf is a triple-quoted string over several lines (`is_multiline_string`); false for nodes. */
export function isMultilineString(tree: Tree, id: number): boolean {
  if (!tree.isLeaf(id) || (tree.textFlags[id]! & TextFlag.MULTILINE) === 0) return false;
  return hasTripleQuotes(tree.text(id));
}

/** Whether the leaf is a string in docstring position that evaluates to text (`is_docstring`). */
export function isDocstring(tree: Tree, leaf: number): boolean {
  if (tree.kind[leaf] !== Kind.STRING) return false;
  const statement = tree.parent[leaf]!;
  if (statement === NONE || tree.kind[statement] !== Kind.simple_stmt) return false;
  return isDocstringPosition(tree, statement) && !hasNonTextPrefix(tree.text(leaf));
}

function isDocstringPosition(tree: Tree, statement: number): boolean {
  const before = tree.prev[statement]!;
  if (before === NONE) return parentKind(tree, statement) === Kind.file_input;
  const kind = tree.kind[before]!;
  if (kind === Kind.INDENT) {
    const newline = tree.prev[before]!;
    return newline !== NONE && tree.kind[newline] === Kind.NEWLINE && tree.prev[newline] === NONE;
  }
  return kind === Kind.COLON && prevKind(tree, before) === Kind.parameters;
}

/** Bytes, f-strings and t-strings never evaluate to `str`. */
function hasNonTextPrefix(text: string): boolean {
  const length = stringPrefixLength(text);
  for (let i = 0; i < length; i++) {
    const letter = text.charCodeAt(i) | 0x20;
    if (letter === 0x62 || letter === 0x66 || letter === 0x74) return true;
  }
  return false;
}

/** Whether it is an f-string or t-string, which Black keeps as a node until it visits it. */
export function isInterpolated(tree: Tree, id: number): boolean {
  return tree.isLeaf(id) && (tree.textFlags[id]! & TextFlag.INTERPOLATED) !== 0;
}

/**
 * Whether the leaf is a t-string to Black, which keeps these as a node of their own kind until it visits them. Only the small
 * letter tells: pytokens takes `T"..."` for an f-string.
 */
export function isTemplateString(tree: Tree, leaf: number): boolean {
  if (tree.kind[leaf] !== Kind.STRING || (tree.textFlags[leaf]! & TextFlag.INTERPOLATED) === 0) return false;
  const text = tree.text(leaf);
  return text.startsWith("t") || text.charCodeAt(1) === 0x74;
}
