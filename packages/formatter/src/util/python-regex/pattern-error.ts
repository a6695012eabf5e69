/** A pattern that Python's `re` rejects, with Python's message, or that cannot be carried over, with the reason. */
export class PatternError extends Error {
  override name = "PatternError";

  /** @param position UTF-16 offset of the offending part in the pattern, or `undefined` when no place applies. */
  constructor(message: string, pattern: string, position?: number) {
    super(position === undefined ? message : `${message} at position ${place(pattern, position)}`);
  }
}

/** Python adds line and column for patterns of several lines. */
function place(pattern: string, position: number): string {
  if (!pattern.includes("\n")) return String(position);
  const before = pattern.slice(0, position);
  const line = before.split("\n").length;
  return `${position} (line ${line}, column ${position - before.lastIndexOf("\n")})`;
}
