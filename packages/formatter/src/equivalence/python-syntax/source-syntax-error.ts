/**
 * Which part of CPython finds a fault. Its parser stops at the first fault and then lets its tokenizer read the rest of
 * the file; a fault of the tokenizer's own is reported instead, wherever it stands
 * (`Parser/pegen_errors.c` _PyPegen_tokenize_full_source_to_check_for_errors). "indentation" are its faults that it
 * names by a number alone, which do not count there: of indentation, and what follows a backslash.
 */
export type FaultFinder = "tokenizer" | "indentation" | "parser";

/** What the Python interpreter would say of a source that our parser, like Black's, is too lenient for. */
export class SourceSyntaxError extends Error {
  override name = "SourceSyntaxError";
  readonly line: number;
  readonly finder: FaultFinder;

  /** @param line 1-based line of the fault. */
  constructor(reason: string, line: number, finder: FaultFinder = "parser") {
    super(`${reason} (<unknown>, line ${line})`);
    this.line = line;
    this.finder = finder;
  }
}

/** The one of two faults, either of which may be none, that CPython reports; the first one where it is all the same. */
export function reportedFault(
  first: SourceSyntaxError | undefined,
  second: SourceSyntaxError | undefined,
): SourceSyntaxError | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const isFirstAhead = first.finder === "tokenizer" && second.finder === "parser";
  const isSecondAhead = second.finder === "tokenizer" && first.finder === "parser";
  if (isFirstAhead || isSecondAhead) return isFirstAhead ? first : second;
  return second.line < first.line ? second : first;
}
