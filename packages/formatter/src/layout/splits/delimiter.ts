import { Priority } from "../../lines/delimiters.ts";
import type { Line } from "../../lines/line.ts";
import type { Mode } from "../../mode/mode.ts";
import { Kind } from "../../syntax/kinds.ts";
import { defersToRightHandSplit, hasCommentBeforeDelimiter } from "./deferral.ts";
import { LineStack, siblingOf, withoutLeadingSpace } from "./line-stack.ts";
import { addTrailingComma, canAddTrailingComma } from "./trailing-comma.ts";

/**
 * Breaks the line at its delimiters of the highest priority and adds a trailing comma where they are commas and
 * every version in `features` allows it (Black: delimiter_split).
 */
export function delimiterSplit(line: Line, features: number, mode: Mode): Line[] | undefined {
  const { leaves, tracker } = line;
  if (leaves.length === 0) return undefined;
  const priority = tracker.maxDelimiterPriority(leaves[leaves.length - 1]!);
  if (priority === 0) return undefined;
  // A single attribute parted from its owner looks wrong.
  if (priority === Priority.DOT && tracker.delimiterCountWithPriority(priority) === 1) return undefined;
  if (hasCommentBeforeDelimiter(line, priority, mode)) return undefined;
  if (defersToRightHandSplit(line, priority, mode)) return undefined;
  const isPlain = line.comments === undefined && !line.containsStandaloneComments();
  return withoutLeadingSpace(
    isPlain ? splitAt(line, priority, features) : splitAtWithComments(line, priority, features),
  );
}

/** Breaks a line without comments after each delimiter of the priority. */
function splitAt(line: Line, priority: number, features: number): Line[] {
  const { leaves } = line;
  const { delimiterLeaves, delimiterPriorities } = line.tracker;
  const lines: Line[] = [];
  let current = siblingOf(line);
  let nextDelimiter = 0;
  for (let i = 0; i < leaves.length; i++) {
    const leaf = leaves[i]!;
    current.append(leaf, true);
    if (delimiterLeaves[nextDelimiter] !== leaf) continue;
    if (delimiterPriorities[nextDelimiter++] !== priority) continue;
    lines.push(current);
    current = siblingOf(line);
  }
  if (current.isEmpty()) return lines;
  if (priority === Priority.COMMA) addTrailingComma(current, isCommaSafe(line, features), priority);
  lines.push(current);
  return lines;
}

/** Whether a comma may follow all elements outside of brackets within the line. */
function isCommaSafe(line: Line, features: number): boolean {
  const { tree, leaves } = line;
  let lowestDepth = Number.POSITIVE_INFINITY;
  for (let i = 0; i < leaves.length; i++) {
    const depth = tree.depth[leaves[i]!]!;
    if (depth < lowestDepth) lowestDepth = depth;
    if (depth === lowestDepth && !canAddTrailingComma(tree, leaves[i]!, features)) return false;
  }
  return true;
}

function splitAtWithComments(line: Line, priority: number, features: number): Line[] {
  const { tree, leaves } = line;
  const { delimiterLeaves, delimiterPriorities } = line.tracker;
  const lines = new LineStack(line);
  const movesComments = priority === Priority.STRING || priority === Priority.COMMA;
  const lastIsComment = tree.kind[leaves[leaves.length - 1]!] === Kind.STANDALONE_COMMENT;
  const lastNonComment = lastIsComment ? lastNonCommentIndex(line) : -1;
  let lowestDepth = Number.POSITIVE_INFINITY;
  let commaSafe = true;
  /** Delimiters are in line order: the next one to come, and whether the leaf before was one to break at. */
  let nextDelimiter = 0;
  let afterBreak = false;
  for (let i = 0; i < leaves.length; i++) {
    const leaf = leaves[i]!;
    lines.append(leaf);
    if (!afterBreak || movesComments) lines.appendCommentsAfter(leaf);
    const depth = tree.depth[leaf]!;
    if (depth < lowestDepth) lowestDepth = depth;
    if (commaSafe && depth === lowestDepth) commaSafe = canAddTrailingComma(tree, leaf, features);
    if (i === lastNonComment) addTrailingComma(lines.current, commaSafe, priority);
    afterBreak = false;
    if (delimiterLeaves[nextDelimiter] === leaf) {
      afterBreak = delimiterPriorities[nextDelimiter] === priority;
      nextDelimiter++;
    }
    if (!afterBreak) continue;
    // The comments of the leaf after an operator stay on the line above it.
    if (i + 1 < leaves.length && !movesComments) lines.appendCommentsAfter(leaves[i + 1]!);
    lines.breakLine();
  }
  if (!lines.current.isEmpty()) addTrailingComma(lines.current, commaSafe, priority);
  return lines.finish();
}

/** Index of the last leaf that is no standalone comment, -1 if that would be the first (Black: _get_last_non_comment_leaf). */
function lastNonCommentIndex(line: Line): number {
  for (let i = line.leaves.length - 1; i > 0; i--) {
    if (line.tree.kind[line.leaves[i]!] !== Kind.STANDALONE_COMMENT) return i;
  }
  return -1;
}
