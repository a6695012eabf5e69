/** What the Python interpreter would say of a source that our parser, like Black's, is too lenient for. */
export class SourceSyntaxError extends Error {
  override name = "SourceSyntaxError";
  readonly #reason: string;

  /** @param line 1-based line of the fault. */
  constructor(reason: string, line: number) {
    super(`${reason} (<unknown>, line ${line})`);
    this.#reason = reason;
  }

  /** The same fault as on another line. */
  onLine(line: number): SourceSyntaxError {
    return new SourceSyntaxError(this.#reason, line);
  }
}
