import type { Line } from "../../lines/line.ts";

/** A line cut at a bracket pair (Black: RHSResult). */
export interface BracketSplit {
  /** Up to and including the opening bracket. */
  readonly head: Line;
  readonly body: Line;
  /** From the closing bracket on. */
  readonly tail: Line;
  readonly openingBracket: number;
  readonly closingBracket: number;
}

/** False when nothing stood between the brackets and at most two characters follow (Black: bracket_split_succeeded_or_raise). */
export function bracketSplitSucceeded(body: Line, tail: Line): boolean {
  return !body.isEmpty() || tail.renderBare().trim().length >= 3;
}

/** Those of the three lines that have leaves. */
export function nonEmpty(head: Line, body: Line, tail: Line): Line[] {
  const lines: Line[] = [];
  if (!head.isEmpty()) lines.push(head);
  if (!body.isEmpty()) lines.push(body);
  if (!tail.isEmpty()) lines.push(tail);
  return lines;
}
