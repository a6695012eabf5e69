/** The output cannot be trusted, or the source is not Python that the interpreter would take: the file stays as it is. */
export class SafetyError extends Error {
  override name = "SafetyError";
}

/** The source itself is no Python to the interpreter, although it could be parsed (Black: SourceASTParseError). */
export class UnparsableSourceError extends SafetyError {
  override name = "UnparsableSourceError";
}

/** Formatting the output again changes it (Black: the `AssertionError` of assert_stable). */
export class UnstableOutputError extends SafetyError {
  override name = "UnstableOutputError";
}
