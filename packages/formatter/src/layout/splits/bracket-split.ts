import type { Line } from "../../lines/line.ts";
import type { Trail } from "../../lines/split.ts";
import { isMultilineString } from "../../syntax/predicates/strings.ts";
import { NONE } from "../../syntax/tree.ts";
import { isLineShortEnough, isStartTooLong } from "../short-enough.ts";
import { buildHead, buildTail } from "./build-line.ts";

/** What a search for a split has done since a split was found, or before. */
export interface SplitSearch {
  /** Brackets before the split that were printed before it was found. */
  shownBefore(split: BracketSplit): readonly number[];
  /** Brings the split's head up to date, which has just been made. */
  afterHead(split: BracketSplit, head: Line): void;
}

/**
 * A line cut at a bracket pair (Black: RHSResult). Head and tail are made when they are asked for: a search passes over
 * most of the splits that it finds, and each of them would copy the whole line.
 */
export class BracketSplit {
  /** The whole line. */
  readonly line: Line;
  readonly body: Line;
  readonly openingBracket: number;
  readonly closingBracket: number;
  /** Indices of the two brackets. */
  readonly open: number;
  readonly close: number;
  /** Where the body begins and ends; with hugged brackets that is further in than `close`. */
  readonly start: number;
  readonly end: number;
  /** What a search through the tail would pass over again. */
  trail: Trail | undefined = undefined;
  /** Where the names of a chained assignment begin in the tail, if that is known. */
  namesInTail: number | undefined = undefined;
  /** The search that has found the split, and how many splits it had shown before. */
  search: SplitSearch | undefined = undefined;
  shownBefore = 0;
  #head: Line | undefined = undefined;
  #tail: Line | undefined = undefined;

  constructor(line: Line, body: Line, open: number, close: number, start: number, end: number) {
    this.line = line;
    this.body = body;
    this.openingBracket = line.leaves[open]!;
    this.closingBracket = line.leaves[close]!;
    this.open = open;
    this.close = close;
    this.start = start;
    this.end = end;
  }

  /** Up to and including the opening bracket. */
  get head(): Line {
    if (this.#head === undefined) {
      this.#head = buildHead(this.line.leaves, this.start, this.line);
      this.search?.afterHead(this, this.#head);
    }
    return this.#head;
  }

  /** From the closing bracket on. */
  get tail(): Line {
    this.#tail ??= buildTail(this.line.leaves, this.end, this.line);
    this.#tail.trail = this.trail;
    return this.#tail;
  }

  /** Whether the head fits; one that is too long is mostly not made for that. */
  isHeadShortEnough(lineLength: number): boolean {
    return !isStartTooLong(this.line, this.start, lineLength) && isLineShortEnough(this.head, lineLength);
  }

  /** Whether a string of several lines stands outside the body. */
  hasMultilineStringOutside(): boolean {
    const { line, start, end } = this;
    if (!line.hasString) return false;
    return line.leaves.some(
      (leaf, index) => (index < start || index >= end) && isMultilineString(line.tree, leaf),
    );
  }

  /** Whether brackets further in are kept together with those of the split. */
  get isHugged(): boolean {
    return this.end !== this.close;
  }

  /**
   * Has the head take the line's leaves, if it can. Of a chain of calls each head is split again: were all its leaves
   * looked at each time, a chain would take the square of its length.
   *
   * @param first index from which on the head is opening brackets that no pair of the head holds
   */
  giveHead(first: number): void {
    if (this.#head !== undefined || !this.line.hasTrackedHead) return;
    this.#tail = this.tail;
    this.#head = this.line.takeHead(first, this.start, new Set(this.search?.shownBefore(this)));
  }

  /** Whether the tail will be split in the same way again. */
  get hasSteadyTail(): boolean {
    return this.trail !== undefined || this.namesInTail !== undefined;
  }

  /** Has the tail take the line's leaves. */
  giveTail(): void {
    this.#head = this.head;
    this.#tail = this.line.takeTail(this.end);
    this.#tail.namesFrom = this.namesInTail;
  }

  /** The leaf before the opening bracket that the head ends in; `NONE` when there is none. */
  get leafBefore(): number {
    return this.start < 2 ? NONE : this.line.leaves[this.start - 2]!;
  }

  lines(): Line[] {
    return nonEmpty(this.head, this.body, this.tail);
  }
}

/** False when nothing stood between the brackets and at most two characters follow (Black: bracket_split_succeeded_or_raise). */
export function bracketSplitSucceeded(split: { readonly body: Line; readonly tail: Line }): boolean {
  return !split.body.isEmpty() || split.tail.renderBare().trim().length >= 3;
}

/** Those of the three lines that have leaves. */
export function nonEmpty(head: Line, body: Line, tail: Line): Line[] {
  const lines: Line[] = [];
  if (!head.isEmpty()) lines.push(head);
  if (!body.isEmpty()) lines.push(body);
  if (!tail.isEmpty()) lines.push(tail);
  return lines;
}
