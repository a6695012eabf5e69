import { Kind } from "../../syntax/kinds.ts";
import type { Line } from "../line.ts";

/**
 * What is remembered of one logical line and of the blank lines round it (`lines.py` LinesBlock). It keeps facts and
 * not the line itself, so that lines are short-lived.
 */
export class LinesBlock {
  readonly previous: LinesBlock | undefined;
  before: number;
  after: number;
  /** Whether a form feed stands among the blank lines before. */
  readonly formFeed: boolean;
  readonly isClass: boolean;
  readonly opensBlock: boolean;
  /** Whether the line and all before it are comments. */
  readonly #isAfterCommentsOnly: boolean;
  /** Whether the line is a docstring with nothing but comments before it. */
  readonly isModuleDocstring: boolean;

  constructor(
    previous: LinesBlock | undefined,
    line: Line,
    before: number,
    after: number,
    formFeed: boolean,
  ) {
    this.previous = previous;
    this.before = before;
    this.after = after;
    this.formFeed = formFeed;
    this.isClass = line.isClass();
    this.opensBlock = line.opensBlock();
    const startsFile = previous === undefined || previous.#isAfterCommentsOnly;
    this.#isAfterCommentsOnly = startsFile && line.isComment();
    this.isModuleDocstring =
      startsFile &&
      line.depth === 0 &&
      line.leaves.length === 1 &&
      line.tree.kind[line.leaves[0]!] === Kind.STRING &&
      line.isDocstring();
  }

  /** The blank lines before, as text. */
  prefix(): string {
    if (this.formFeed) return `${"\n".repeat(Math.max(0, this.before - 1))}\f\n`;
    return BLANK[this.before] ?? "\n".repeat(this.before);
  }
}

const BLANK = ["", "\n", "\n\n"];
