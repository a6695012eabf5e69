/** A file that is no Python: its message as it was printed, the path under which it was, and the place in the source. */
export interface KnownFailure {
  readonly path: string;
  readonly message: string;
  readonly place: { readonly line: number; readonly column: number };
}

/** What becomes of a file that is formatted again without having changed. */
export type Outcome = "formatted" | KnownFailure;

/** What tells a file from its earlier and later states, and what became of it. */
export interface FileStamp {
  readonly mtimeMs: number;
  /** In bytes. */
  readonly size: number;
  /** Why it cannot be formatted; such an answer depends on nothing but source and options, like the other. */
  readonly failure?: KnownFailure | undefined;
}

/** What is remembered of a file that is well formatted, or that cannot be. */
export interface FileRecord extends FileStamp {
  /** SHA-256 in hex; empty where it was not worth it: such a file is formatted again when its time alone changes. */
  readonly digest: string;
}
