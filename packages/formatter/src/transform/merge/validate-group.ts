import { containsPragmaComment } from "../../comments/pragma.ts";
import type { Line } from "../../lines/line.ts";
import { isClosingBracket, Kind } from "../../syntax/kinds.ts";
import { hasTripleQuotes } from "../../syntax/predicates/strings.ts";
import { lowerPrefix } from "../string-leaf.ts";

/**
 * Whether the strings from `start` on may become one: at least two, no comment between them but one at most, none
 * raw or triple-quoted, prefixes that go together, no pragma that the longer line would hide
 * (Black: _validate_msg).
 */
export function canMergeGroup(line: Line, start: number): boolean {
  if (hasInnerStandaloneComment(line, start, 1) || hasInnerStandaloneComment(line, start, -1)) return false;
  const { tree, leaves } = line;
  const quote = tree.text(leaves[start]!).at(-1);
  const prefixes = new Set<string>();
  let comments = 0;
  let end = start;
  for (; end < leaves.length; end++) {
    const leaf = leaves[end]!;
    if (tree.kind[leaf] !== Kind.STRING) {
      // A comment after a comma that ends the group is the group's.
      if (tree.kind[leaf] === Kind.COMMA && hasComments(line, leaf)) comments++;
      break;
    }
    const text = tree.text(leaf);
    if (hasTripleQuotes(text)) return false;
    const prefix = lowerPrefix(text);
    if (prefix.includes("r")) return false;
    prefixes.add(prefix);
    if (prefix.includes("f") && text.at(-1) !== quote && /['"]/.test(text.slice(prefix.length + 1, -1))) {
      return false;
    }
    if (hasComments(line, leaf)) {
      comments++;
      if (containsPragmaComment(tree, line.commentsAfter(leaf))) return false;
    }
  }
  if (end - start < 2 || isFollowedByPragma(line, end) || comments > 1) return false;
  return prefixes.size <= 1 || (prefixes.size === 2 && prefixes.has("") && prefixes.has("f"));
}

function hasComments(line: Line, leaf: number): boolean {
  return line.comments?.has(leaf) === true;
}

/** Whether a standalone comment has strings of the group on both sides, looking from `start` in one direction. */
function hasInnerStandaloneComment(line: Line, start: number, step: 1 | -1): boolean {
  const { tree, leaves } = line;
  let found = false;
  for (let i = start; i >= 0 && i < leaves.length; i += step) {
    const kind = tree.kind[leaves[i]!];
    if (kind === Kind.STANDALONE_COMMENT) found = true;
    else if (kind !== Kind.STRING) return false;
    else if (found) return true;
  }
  return false;
}

/** Whether a pragma follows the group or one of the closing brackets directly behind it. */
function isFollowedByPragma(line: Line, end: number): boolean {
  const { tree, leaves } = line;
  for (let i = end; i < leaves.length; i++) {
    if (containsPragmaComment(tree, line.commentsAfter(leaves[i]!))) return true;
    if (!isClosingBracket(tree.kind[leaves[i]!]!)) return false;
  }
  return false;
}
