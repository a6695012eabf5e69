/** What `ParseError` tells of a failure. */
export interface ParseErrorDetails {
  /** 1-based; 0-based column, in code points. */
  readonly line: number;
  readonly column: number;
  /** The faulty line, without its end. */
  readonly sourceLine: string;
  /** `ParseError` from the grammar, `TokenError` from the tokenizer. */
  readonly kind: "ParseError" | "TokenError";
  /** Such as `bad input`. */
  readonly reason: string;
  /** `cannot parse`, with the newest target version where there are any. */
  readonly context: string;
}

/**
 * The source is not Python that the target versions allow (Black: `parsing.py` InvalidInput). The message is
 * Black's: place, faulty line, a caret below it, and the reason.
 */
export class ParseError extends Error {
  override readonly name = "ParseError";
  readonly line: number;
  readonly column: number;
  readonly sourceLine: string;
  readonly kind: "ParseError" | "TokenError";
  readonly reason: string;
  readonly context: string;
  /** Everything after the place: the faulty line, the caret and the reason. */
  readonly details: string;

  constructor(details: ParseErrorDetails) {
    const { line, column, sourceLine, kind, reason, context } = details;
    const caret = " ".repeat(Math.max(0, column - 1));
    const text = `\n    ${sourceLine}\n    ${caret}^\n${kind}: ${reason}`;
    super(`${context}: ${line}:${column}${text}`);
    this.line = line;
    this.column = column;
    this.sourceLine = sourceLine;
    this.kind = kind;
    this.reason = reason;
    this.context = context;
    this.details = text;
  }
}

/** The failure as Black reports it: with the file's path when there is one (`report.py` failed). */
export function describeParseError(path: string | undefined, error: ParseError): string {
  if (path === undefined) return error.message;
  return `${error.context}: ${path}:${error.line}:${error.column}${error.details}`;
}
