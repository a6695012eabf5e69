/** A file part of a form, waiting on disk. */
export interface SpooledFile {
  readonly field: string;
  readonly path: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
}

/** A multipart form whose files are on disk, so that it takes no memory however large they are. */
export interface SpooledForm {
  /** In the order in which they came; a name may occur several times. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly files: readonly SpooledFile[];
  /** Deletes the files. */
  remove(): Promise<void>;
}
