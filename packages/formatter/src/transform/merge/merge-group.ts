import { addCustomSplits, type CustomSplit } from "../../lines/custom-splits.ts";
import type { Line } from "../../lines/line.ts";
import { normalizeStringQuotes } from "../../normalize/strings/quotes.ts";
import { noteGainedChildren } from "../../syntax/gained-children.ts";
import { Kind } from "../../syntax/kinds.ts";
import { replaceChild } from "../../syntax/predicates/family.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";
import { codePointLength } from "../../util/width.ts";
import { fexprSpans, toggleFexprQuotes } from "../fexpr-spans.ts";
import { lowerPrefix } from "../string-leaf.ts";

/** Marks the end of each part in the merged string until their places are known; no string holds it. */
const BREAK_MARK = "@@@@@ BLACK BREAKPOINT MARKER @@@@@";

/** A debug expression (`{x=}`) with a quote in it: its text is part of the value. */
const DEBUG_EXPRESSION_WITH_QUOTE = /['"][^\n]*(?<![!:=])=(?!=)(?![^\s:])/;

/**
 * Replaces the strings from `start` on by one in the tree, and remembers where its parts ended
 * (Black: _merge_one_string_group). Returns how many there were, and the new leaf.
 */
export function mergeGroup(line: Line, start: number, normalize: boolean): { count: number; leaf: number } {
  const { tree, leaves } = line;
  let end = start;
  while (end < leaves.length && tree.kind[leaves[end]!] === Kind.STRING) end++;
  const group = leaves.slice(start, end);
  const texts = group.map((leaf) => tree.text(leaf));
  const quote = texts[0]!.at(-1)!;
  const prefix = texts.map(lowerPrefix).find((other) => other !== "") ?? "";

  let content = "";
  for (const text of texts) content += nakedString(text, prefix, quote) + BREAK_MARK;
  let marked = prefix + quote + content + quote;
  if (normalize) marked = normalizeStringQuotes(marked);

  const leaf = tree.makeLeaf(Kind.STRING, marked.replaceAll(BREAK_MARK, ""));
  replaceGroup(tree, group, leaf);
  addCustomSplits(tree, leaf, customSplits(texts, marked.slice(prefix.length + 1, -1), prefix));
  return { count: group.length, leaf };
}

/** The text between the quotes, with `quote` escaped in it, and braces too if only the group is an f-string. */
function nakedString(text: string, groupPrefix: string, quote: string): string {
  const prefix = lowerPrefix(text);
  let literal = text;
  if (groupPrefix.includes("f") && !prefix.includes("f")) literal = literal.replace(/[{}]/g, "$&$&");
  if (prefix.includes("f") && !hasQuotedDebugExpression(literal)) literal = toggleFexprQuotes(literal, quote);
  return escapeQuotes(literal.slice(prefix.length + 1, -1), quote);
}

function hasQuotedDebugExpression(literal: string): boolean {
  return fexprSpans(literal).some(([from, to]) =>
    DEBUG_EXPRESSION_WITH_QUOTE.test(literal.slice(from + 1, to - 1)),
  );
}

/** Puts a backslash before each quote that has an even number of them before it. */
function escapeQuotes(text: string, quote: string): string {
  let result = "";
  let copied = 0;
  let backslashes = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === quote && backslashes % 2 === 0) {
      result += `${text.slice(copied, i)}\\`;
      copied = i;
    }
    backslashes = char === "\\" ? backslashes + 1 : 0;
  }
  return result + text.slice(copied);
}

function customSplits(texts: readonly string[], marked: string, prefix: string): CustomSplit[] {
  const splits: CustomSplit[] = [];
  let from = 0;
  for (const text of texts) {
    const mark = marked.indexOf(BREAK_MARK, from);
    const hasPrefix = lowerPrefix(text) !== "";
    const length = codePointLength(marked.slice(from, mark));
    splits.push({ hasPrefix, breakIndex: length + (hasPrefix ? prefix.length : 0) + 1 });
    from = mark + BREAK_MARK.length;
  }
  return splits;
}

/** Puts `leaf` in the place of the strings, or of the atom that holds nothing else. */
function replaceGroup(tree: Tree, group: readonly number[], leaf: number): void {
  const atom = tree.parent[group[0]!]!;
  if (atom === NONE) return;
  if (group.length >= tree.childCount(atom)) {
    replaceChild(tree, atom, leaf);
    return;
  }
  let after: number = NONE;
  for (const string of group) after = tree.remove(string);
  tree.insertBefore(atom, after, leaf);
  noteGainedChildren(tree, atom, 1 - group.length);
}
