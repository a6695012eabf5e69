/** What the Python interpreter would say of a source that our parser, like Black's, is too lenient for. */
export class SourceSyntaxError extends Error {
  override name = "SourceSyntaxError";

  /** @param line 1-based line of the fault. */
  constructor(reason: string, line: number) {
    super(`${reason} (<unknown>, line ${line})`);
  }
}
