import { Kind as K } from "../../syntax/kinds.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";
import { debugText, isInRawString, literalText, partsOfLiteral } from "../literals/parts-of-literal.ts";
import { splitLiteral } from "../literals/split-literal.ts";
import { checkGap } from "./check-gap.ts";
import { checkEscapes } from "./check-literals.ts";
import { lineOf } from "./line-of.ts";
import { SourceSyntaxError } from "./source-syntax-error.ts";

/** Formats within formats: `f"{a:{b:{c}}}"` has two. */
const MAX_FORMATS = 2;

/**
 * Checks an f-string or t-string: its braces, and by the rules for all nodes what it holds.
 *
 * @param check checks the node of its parts
 */
export function checkInterpolation(
  tree: Tree,
  leaf: number,
  check: (tree: Tree, root: number) => void,
): void {
  const text = literalText(tree, leaf);
  if (PLAIN.test(text)) return;
  const count = tree.count;
  const node = partsOfLiteral(tree, leaf);
  if (text.includes("\\") || text.includes("\v"))
    for (const part of tree.leaves(node).slice(1)) checkGap(tree, part);
  check(tree, node);
  tree.truncate(count);
}

/** Literals in which all fields are names, their attributes and calls without arguments, or hold one in brackets. */
const PLAIN =
  /^[A-Za-z]+(?:[^{}!\\]|\{\{|\}\}|\{[A-Za-z_]\w*(?:\.(?!None\b|True\b|False\b)[A-Za-z_]\w*|\(\)|[([][A-Za-z_]\w*[)\]])*\})*$/;

/** Checks a replacement field's conversion, that a colon precedes its format, and how deep it stands in formats. */
export function checkField(tree: Tree, field: number): void {
  const { interpolation } = splitLiteral(literalText(tree, stringOf(tree, field)));
  const fail = (id: number, message: string): never => {
    throw new SourceSyntaxError(`${interpolation}-string: ${message}`, lineOf(tree, id));
  };
  let formats = 0;
  for (let at = tree.parent[field]!; tree.kind[at] === K.fstring_replacement_field; at = tree.parent[at]!)
    formats++;
  if (formats > MAX_FORMATS) fail(field, "expressions nested too deeply");
  // What `=` repeats of a field in a format is never decoded.
  const text = formats === 0 ? debugText(tree, field) : undefined;
  if (text?.includes("\\") && !isInRawString(tree, field)) checkEscapes(text, false, lineOf(tree, field));
  let awaited = "'=', or '!', or ':', or '}'";
  for (let child = tree.first[field]!; child !== NONE; child = tree.next[child]!) {
    const kind = tree.kind[child]!;
    if (kind === K.EQUAL) awaited = "'!', or ':', or '}'";
    else if (kind === K.COLON) awaited = "";
    else if (awaited !== "" && (kind === K.fstring_replacement_field || kind === K.FSTRING_MIDDLE))
      fail(child, `expecting ${awaited}`);
    if (kind !== K.BANG) continue;
    awaited = "':' or '}'";
    const name = tree.next[child]!;
    const conversion = tree.text(name);
    if (tree.start[name] !== tree.end[child])
      fail(name, "conversion type must come right after the exclamation mark");
    if (!["s", "r", "a"].includes(conversion))
      fail(name, `invalid conversion character '${conversion}': expected 's', 'r', or 'a'`);
  }
}

/** Checks the escapes in a text between fields. */
export function checkFieldText(tree: Tree, leaf: number): void {
  const text = tree.text(leaf);
  if (!text.includes("\\") || isInRawString(tree, leaf)) return;
  // CPython decodes the texts between fields when it has seen the end of the string, those of formats at once.
  const parent = tree.parent[leaf]!;
  checkEscapes(text, false, tree.line[tree.kind[parent] === K.fstring ? tree.last[parent]! : leaf]!);
}

function stringOf(tree: Tree, id: number): number {
  let at = id;
  while (tree.kind[at] !== K.fstring) at = tree.parent[at]!;
  return at;
}
