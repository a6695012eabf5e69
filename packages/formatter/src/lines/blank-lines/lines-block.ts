/** The blank lines before one logical line (`lines.py` LinesBlock). */
export class LinesBlock {
  /** Those that count as before the line; for comments they may still change, even to less than none (as in Black). */
  before: number;
  /** Those that count as after the line above. */
  readonly previousAfter: number;
  /** Whether a form feed stands among the blank lines before. */
  readonly formFeed: boolean;
  /** Whether blank lines for the definition that follows may be put before this line, a comment. */
  mayGrow = false;

  constructor(before: number, previousAfter: number, formFeed: boolean) {
    this.before = before;
    this.previousAfter = previousAfter;
    this.formFeed = formFeed;
  }

  /** Line breaks that the blank lines are, a form feed aside. */
  breaks(): number {
    return this.previousAfter + Math.max(0, this.before);
  }

  /** The blank lines as text. */
  text(): string {
    const breaks = this.breaks();
    if (this.formFeed) return `${"\n".repeat(this.previousAfter + Math.max(0, this.before - 1))}\f\n`;
    return BLANK[breaks] ?? "\n".repeat(breaks);
  }
}

const BLANK = ["", "\n", "\n\n"];
