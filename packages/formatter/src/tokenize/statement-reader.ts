/**
 * Reads whole statements and headers of blocks that need no tokens of their own, for the tokenizer. What has been found
 * stands in the fields: offsets into the source, that of `colon` is -1 where there is none.
 */
export interface StatementReader {
  /** Takes a source and its codes (`codesOf`). */
  begin(source: string, codes: Uint8Array): void;
  /**
   * Whether a statement that starts at `start`, in `depth` blocks, is one of those. It is valid Python then, whatever
   * surrounds it.
   */
  read(start: number, depth: number): boolean;
  /** Kind of the first token where that is one of its own: the keyword of a header or import, `@`, or a docstring. */
  readonly keyword: number;
  /** Where the keyword starts; `async` may precede it. */
  readonly keywordStart: number;
  readonly keywordEnd: number;
  /** What follows the keyword, up to the colon of a header. */
  readonly restStart: number;
  readonly restEnd: number;
  readonly colon: number;
  /** The line break that ends the statement; a comment may precede it. */
  readonly newline: number;
  /** Line breaks within the statement. */
  readonly lineBreaks: number;
  /** `Feature` bits of what the statement uses. */
  readonly features: number;
}
