import { Line } from "../../lines/line.ts";

/** Lines under construction: the finished ones and the current one. */
export class LineStack {
  readonly finished: Line[] = [];
  current: Line;
  readonly #model: Line;

  constructor(model: Line) {
    this.#model = model;
    this.current = siblingOf(model);
  }

  /** Appends to the current line, or to a new one where a standalone comment forbids it. */
  append(leaf: number): void {
    if (this.current.appendSafe(leaf, true)) return;
    this.breakLine();
    this.current.append(leaf);
  }

  appendCommentsAfter(leaf: number): void {
    for (const comment of this.#model.commentsAfter(leaf)) this.append(comment);
  }

  breakLine(): void {
    this.finished.push(this.current);
    this.current = siblingOf(this.#model);
  }

  /** All lines; the current one unless it is empty. */
  finish(): Line[] {
    if (!this.current.isEmpty()) this.finished.push(this.current);
    return this.finished;
  }
}

/** An empty line at the depth of `line`, inside brackets if that is. */
export function siblingOf(line: Line): Line {
  return new Line(line.tree, line.mode, line.depth, line.insideBrackets);
}

/** The space before the first leaf of each line is dropped (Black: dont_increase_indentation). */
export function withoutLeadingSpace(lines: Line[]): Line[] {
  for (const line of lines) {
    const first = line.leaves[0];
    if (first !== undefined) line.tree.space[first] = 0;
  }
  return lines;
}
