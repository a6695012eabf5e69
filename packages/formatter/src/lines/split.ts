import type { Mode } from "../mode/mode.ts";
import type { Line } from "./line.ts";

/**
 * A way to break a line into several, or to change it (Black: Transformer). Returns the new lines in order, or
 * `undefined` where it does not apply (Black raises CannotTransform or CannotSplit). Lines may be made one by one
 * while the ones before are worked on; `undefined` among them means that it does not apply after all.
 * `features` are bits of `Feature`.
 */
export type Split = (line: Line, features: number, mode: Mode) => Iterable<Line | undefined> | undefined;

/**
 * Optional parentheses that a search for a split has passed over, from right to left, by their closing brackets: the
 * first `count` of `closings`.
 */
export interface Trail {
  readonly closings: readonly number[];
  readonly count: number;
}
